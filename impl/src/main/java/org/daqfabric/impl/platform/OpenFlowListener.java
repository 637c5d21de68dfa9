package org.daqfabric.impl.platform;

import static java.util.Objects.requireNonNull;

import com.google.common.net.InetAddresses;
import com.google.common.util.concurrent.FutureCallback;
import com.google.common.util.concurrent.MoreExecutors;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.daqfabric.impl.openflow.Connections;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.DataTreeChangeListener;
import org.opendaylight.mdsal.binding.api.DataTreeModification;
import org.opendaylight.mdsal.common.api.CommitInfo;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.openflowjava.protocol.spi.connection.SwitchConnectionProvider;
import org.opendaylight.openflowjava.protocol.spi.connection.SwitchConnectionProviderFactory;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.inet.types.rev130715.IetfInetUtil;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.config.rev140630.TransportProtocol;
import org.opendaylight.yang.gen.v1.urn.opendaylight.params.xml.ns.yang.openflow._switch.connection.config.rev160506.SwitchConnectionConfig;
import org.opendaylight.yang.gen.v1.urn.opendaylight.params.xml.ns.yang.openflow._switch.connection.config.rev160506.SwitchConnectionConfigBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.params.xml.ns.yang.openflow._switch.connection.config.rev160506.SwitchConnectionConfigKey;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.binding.DataObjectReference;
import org.opendaylight.yangtools.concepts.Registration;
import org.opendaylight.yangtools.yang.common.Uint16;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.Designate;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives this controller exactly one OpenFlow listener, on the address and port of {@code etc/org.daqfabric.cfg}.
 *
 * <p>The OpenFlow plugin's own listeners come from the datastore, where files put them at every start; they are removed
 * whenever they appear. Ours is made once its port is free.
 */
@Component(service = { }, configurationPid = "org.daqfabric")
@Designate(ocd = OpenFlowListener.Configuration.class)
public final class OpenFlowListener implements DataTreeChangeListener<SwitchConnectionConfig>, AutoCloseable {
    /** Where to listen. */
    @ObjectClassDefinition(name = "daqfabric OpenFlow listener")
    public @interface Configuration {
        @AttributeDefinition(description = "Address to listen on")
        String openflow$_$address() default "127.0.0.1";

        @AttributeDefinition(min = "1", max = "65535")
        int openflow$_$port() default 6653;
    }

    private static final Logger LOG = LoggerFactory.getLogger(OpenFlowListener.class);
    private static final long LOOK_MILLIS = 100;
    private static final int LOOKS_PER_WARNING = 50;
    /** Milliseconds of silence after which a switch is asked whether it lives. */
    private static final Uint32 IDLE_MILLIS = Uint32.valueOf(3000);

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
        Thread.ofPlatform().daemon().name("daqfabric-openflow-listener").factory());
    private final DataBroker broker;
    private final InetAddress address;
    private final int port;
    private final Supplier<Registration> listener;
    private final Registration registration;

    private Registration started;
    private int looks;

    @Activate
    public OpenFlowListener(@Reference final DataBroker broker, @Reference final SwitchConnectionProviderFactory factory,
            @Reference final Connections connections, final Configuration configuration, final BundleContext bundles) {
        this(broker, InetAddresses.forString(configuration.openflow$_$address().trim()), configuration.openflow$_$port(),
            () -> {
                final var provider = connections.watch(factory.newInstance(config(configuration)));
                final ServiceRegistration<?> service =
                    bundles.registerService(SwitchConnectionProvider.class, provider, null);
                return service::unregister;
            });
    }

    OpenFlowListener(final DataBroker broker, final InetAddress address, final int port,
            final Supplier<Registration> listener) {
        this.broker = requireNonNull(broker);
        this.address = address;
        this.port = port;
        this.listener = listener;
        registration = broker.registerTreeChangeListener(LogicalDatastoreType.CONFIGURATION,
            DataObjectReference.builder(SwitchConnectionConfig.class).build(), this);
        timer.scheduleWithFixedDelay(this::startWhenFree, 0, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }

    private static SwitchConnectionConfig config(final Configuration configuration) {
        return new SwitchConnectionConfigBuilder()
            .withKey(new SwitchConnectionConfigKey("daqfabric"))
            .setAddress(IetfInetUtil.ipAddressFor(InetAddresses.forString(configuration.openflow$_$address().trim())))
            .setPort(Uint16.valueOf(configuration.openflow$_$port()))
            .setTransportProtocol(TransportProtocol.TCP)
            .setChannelOutboundQueueSize(Uint16.valueOf(1024))
            .setUseBarrier(true)
            .setGroupAddModEnabled(false)
            .setSwitchIdleTimeout(IDLE_MILLIS)
            .build();
    }

    private synchronized void startWhenFree() {
        if (timer.isShutdown() || started != null) {
            return;
        }
        try {
            new ServerSocket(port, 1, address).close();
        } catch (IOException e) {
            if (++looks % LOOKS_PER_WARNING == 0) {
                LOG.warn("OpenFlow cannot listen on {}:{} yet ({}). See who does with 'ss -ltnp', or change "
                    + "openflow-address or openflow-port in etc/org.daqfabric.cfg", address.getHostAddress(), port,
                    e.getMessage());
            }
            return;
        }
        started = listener.get();
        timer.shutdown();
        LOG.info("OpenFlow listens on {}:{}", address.getHostAddress(), port);
    }

    @Override
    public void onDataTreeChanged(final List<DataTreeModification<SwitchConnectionConfig>> changes) {
        for (var change : changes) {
            final var present = change.getRootNode().dataAfter();
            if (present != null) {
                remove(present);
            }
        }
    }

    private void remove(final SwitchConnectionConfig other) {
        final var tx = broker.newWriteOnlyTransaction();
        tx.delete(LogicalDatastoreType.CONFIGURATION,
            DataObjectIdentifier.builder(SwitchConnectionConfig.class, other.key()).build());
        tx.commit().addCallback(new FutureCallback<CommitInfo>() {
            @Override
            public void onSuccess(final CommitInfo result) {
                LOG.debug("OpenFlow listener on port {} removed", other.getPort());
            }

            @Override
            public void onFailure(final Throwable cause) {
                LOG.error("The OpenFlow listener on port {} could not be removed. Check what listens with 'ss -ltnp' "
                    + "and restart the controller", other.getPort(), cause);
            }
        }, MoreExecutors.directExecutor());
    }

    @Deactivate
    @Override
    public void close() {
        registration.close();
        synchronized (this) {
            timer.shutdownNow();
            if (started != null) {
                started.close();
            }
        }
    }
}
