package org.daqfabric.impl.platform;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.common.util.concurrent.SettableFuture;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.opendaylight.openflowjava.protocol.api.connection.SwitchConnectionHandler;
import org.opendaylight.openflowjava.protocol.spi.connection.SwitchConnectionProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A listener that waits until its port is free. The OpenFlow plugin tries to listen once and never again, and it shuts
 * down for good when it is left without any listener: so ours must be there before OpenDaylight's own is taken away.
 */
final class PatientListener {
    private static final Logger LOG = LoggerFactory.getLogger(PatientListener.class);
    private static final long LOOK_MILLIS = 100;
    private static final int LOOKS_PER_WARNING = 50;

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
        Thread.ofPlatform().daemon().name("daqfabric-openflow-listener").factory());
    private final SettableFuture<Void> listening = SettableFuture.create();
    private final SwitchConnectionProvider original;
    private final InetAddress address;
    private final int port;
    private SwitchConnectionHandler handler;
    private int looks;

    private PatientListener(final SwitchConnectionProvider original, final InetAddress address, final int port) {
        this.original = original;
        this.address = address;
        this.port = port;
    }

    static SwitchConnectionProvider of(final SwitchConnectionProvider original, final InetAddress address,
            final int port) {
        final var patient = new PatientListener(original, address, port);
        return (SwitchConnectionProvider) Proxy.newProxyInstance(SwitchConnectionProvider.class.getClassLoader(),
            new Class<?>[] {SwitchConnectionProvider.class}, (proxy, method, arguments) -> {
                if (method.getName().equals("startup")) {
                    return patient.startup((SwitchConnectionHandler) arguments[0]);
                }
                if (method.getName().equals("shutdown")) {
                    patient.timer.shutdownNow();
                }
                try {
                    return method.invoke(original, arguments);
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            });
    }

    private ListenableFuture<Void> startup(final SwitchConnectionHandler plugin) {
        handler = plugin;
        timer.scheduleWithFixedDelay(this::look, 0, LOOK_MILLIS, TimeUnit.MILLISECONDS);
        return listening;
    }

    private void look() {
        try {
            new ServerSocket(port, 1, address).close();
        } catch (IOException e) {
            if (++looks % LOOKS_PER_WARNING == 0) {
                LOG.warn("OpenFlow cannot listen on {}:{} yet ({}). See who does with 'ss -ltnp', or change the "
                    + "address or port in etc/org.daqfabric.cfg", address.getHostAddress(), port, e.getMessage());
            }
            return;
        }
        timer.shutdown();
        listening.setFuture(original.startup(handler));
        LOG.info("OpenFlow listens on {}:{}", address.getHostAddress(), port);
    }
}
