package org.daqfabric.impl.platform;

import com.google.common.util.concurrent.FutureCallback;
import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.MoreExecutors;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.daqfabric.impl.openflow.OpenFlowRuleChannel;
import org.daqfabric.impl.tls.TlsException;
import org.daqfabric.impl.tls.TlsIdentity;
import org.opendaylight.openflowjava.protocol.spi.connection.SwitchConnectionProvider;
import org.opendaylight.openflowjava.protocol.spi.connection.SwitchConnectionProviderFactory;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.inet.types.rev130715.IetfInetUtil;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.config.rev140630.TransportProtocol;
import org.opendaylight.yang.gen.v1.urn.opendaylight.params.xml.ns.yang.openflow._switch.connection.config.rev160506.SwitchConnectionConfig;
import org.opendaylight.yang.gen.v1.urn.opendaylight.params.xml.ns.yang.openflow._switch.connection.config.rev160506.SwitchConnectionConfigBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.params.xml.ns.yang.openflow._switch.connection.config.rev160506.SwitchConnectionConfigKey;
import org.opendaylight.yangtools.yang.common.Uint16;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for switches on one port, with OpenDaylight's OpenFlow library. The library tries only once to bind a port,
 * so this waits until the port is free.
 */
public final class OpenFlowListener implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OpenFlowListener.class);
    /** Milliseconds of silence after which a switch is sent an echo. */
    private static final Uint32 IDLE_MILLIS = Uint32.valueOf(3000);
    private static final long CHECK_MILLIS = 100;
    private static final int CHECKS_PER_WARNING = 300;

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
        Thread.ofPlatform().daemon().name("daqfabric-openflow-listener").factory());
    private final SwitchConnectionProvider library;
    private volatile boolean open;
    private final InetSocketAddress address;
    private final OpenFlowRuleChannel channel;
    @GuardedBy("this")
    private int checks;
    @GuardedBy("this")
    private boolean listening;

    /**
     * Begins to listen as soon as the port is free.
     *
     * @param identity the controller's, for TLS; empty for plain TCP
     * @throws TlsException if the keys cannot be passed to the library
     */
    public OpenFlowListener(final SwitchConnectionProviderFactory factory, final InetSocketAddress address,
            final Optional<TlsIdentity> identity, final OpenFlowRuleChannel channel) throws TlsException {
        this.address = address;
        this.channel = channel;
        library = factory.newInstance(configuration(address, identity));
        OpenFlowRuleChannel.prepare(library);
        timer.scheduleWithFixedDelay(this::startIfPortIsFree, 0, CHECK_MILLIS, TimeUnit.MILLISECONDS);
    }

    private static SwitchConnectionConfig configuration(final InetSocketAddress address,
            final Optional<TlsIdentity> identity) throws TlsException {
        return new SwitchConnectionConfigBuilder()
            .withKey(new SwitchConnectionConfigKey(identity.isEmpty() ? "daqfabric" : "daqfabric-tls"))
            .setAddress(IetfInetUtil.ipAddressFor(address.getAddress()))
            .setPort(Uint16.valueOf(address.getPort()))
            .setTransportProtocol(identity.isEmpty() ? TransportProtocol.TCP : TransportProtocol.TLS)
            .setTls(identity.isEmpty() ? null : OpenFlowTls.write(identity.orElseThrow(), OpenFlowTls.FOLDER))
            .setChannelOutboundQueueSize(Uint16.valueOf(1024))
            .setUseBarrier(true)
            .setGroupAddModEnabled(false)
            .setSwitchIdleTimeout(IDLE_MILLIS)
            .build();
    }

    private synchronized void startIfPortIsFree() {
        if (timer.isShutdown()) {
            return;
        }
        try {
            new ServerSocket(address.getPort(), 1, address.getAddress()).close();
        } catch (IOException e) {
            if (checks++ % CHECKS_PER_WARNING == 0) {
                LOG.warn("OpenFlow cannot listen on {}:{} yet ({}), so that no switch can connect there. See who does "
                    + "with 'ss -ltnp', or change the address or port in etc/org.daqfabric.cfg",
                    address.getHostString(), address.getPort(), e.getMessage());
            }
            return;
        }
        timer.shutdown();
        listening = true;
        Futures.addCallback(library.startup(channel), new FutureCallback<Void>() {
            @Override
            public void onSuccess(final Void unused) {
                open = true;
                LOG.info("OpenFlow listens on {}:{}", address.getHostString(), address.getPort());
            }

            @Override
            public void onFailure(final Throwable cause) {
                LOG.error("OpenFlow does not listen on {}:{}: restart the controller", address.getHostString(),
                    address.getPort(), cause);
            }
        }, MoreExecutors.directExecutor());
    }

    /** Where it listens; empty while another program has the port. */
    public Optional<InetSocketAddress> listenAddress() {
        return open ? Optional.of(address) : Optional.empty();
    }

    @Override
    public synchronized void close() {
        timer.shutdown();
        if (listening) {
            // not before it has ended: the library reports its end to a health report that closing it removes
            library.shutdown().addListener(this::closeLibrary, MoreExecutors.directExecutor());
        } else {
            closeLibrary();
        }
    }

    /** Ends the library's own health report of this port. */
    @SuppressWarnings("checkstyle:illegalCatch") // what AutoCloseable.close throws
    private void closeLibrary() {
        if (library instanceof AutoCloseable closeable) {
            try {
                closeable.close();
            } catch (Exception e) {
                LOG.warn("OpenFlow's health report of port {} did not end", address.getPort(), e);
            }
        }
    }
}
