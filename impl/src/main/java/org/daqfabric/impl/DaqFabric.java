package org.daqfabric.impl;

import com.google.common.net.InetAddresses;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.daqfabric.impl.controller.FabricManager;
import org.daqfabric.impl.northbound.ConfigReader;
import org.daqfabric.impl.northbound.DatastoreDecisionStore;
import org.daqfabric.impl.northbound.FabricCohort;
import org.daqfabric.impl.northbound.StateWriter;
import org.daqfabric.impl.openflow.Connections;
import org.daqfabric.impl.openflow.OpenFlowRuleChannel;
import org.daqfabric.impl.ovsdb.OvsdbBridgeDriver;
import org.daqfabric.impl.ovsdb.OvsdbSettings;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.NotificationService;
import org.opendaylight.mdsal.binding.api.RpcService;
import org.opendaylight.mdsal.dom.api.DOMDataBroker;
import org.opendaylight.yangtools.binding.data.codec.api.BindingNormalizedNodeSerializer;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The application: joins configuration, controller and drivers, and takes them apart in the opposite order. */
@Component(service = { }, immediate = true, configurationPid = "org.daqfabric")
public final class DaqFabric {
    private static final Logger LOG = LoggerFactory.getLogger(DaqFabric.class);
    private static final long READ_LIMIT_MILLIS = 10_000;

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();

    /** What {@code etc/org.daqfabric.cfg} may say. */
    public @interface Configuration {
        /** Address to listen on for OVSDB; empty for none. */
        String ovsdb$_$address() default "127.0.0.1";

        /** TCP port, 1..65535. */
        int ovsdb$_$port() default OvsdbSettings.OVSDB_PORT;

        /** TCP port of OpenFlow, which switches are told. */
        int openflow$_$port() default OvsdbSettings.OPENFLOW_PORT;

        /**
         * What switches are told as their OpenFlow controllers, such as {@code tcp:10.0.0.1:6653,tcp:10.0.0.2:6653};
         * empty for the addresses of their OVSDB managers.
         */
        String openflow$_$controllers() default "";
    }

    @Activate
    public DaqFabric(@Reference DataBroker broker, @Reference DOMDataBroker domBroker, @Reference RpcService rpcs,
            @Reference NotificationService notifications, @Reference BindingNormalizedNodeSerializer serializer,
            @Reference Connections connections, Configuration configuration) throws IOException {
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("daqfabric-timer").factory());
        parts.push(timer::shutdownNow);
        ExecutorService loops = Executors.newFixedThreadPool(Math.max(2, Runtime.getRuntime().availableProcessors()),
            Thread.ofPlatform().daemon().name("daqfabric-loop-", 0).factory());
        parts.push(loops::shutdownNow);
        ExecutorService background = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().priority(Thread.MIN_PRIORITY).name("daqfabric-background").factory());
        parts.push(background::shutdownNow);
        try {
            parts.push(new FabricCohort(domBroker, serializer));
            StateWriter states = keep(new StateWriter(broker, timer));
            FabricManager manager = keep(new FabricManager(new DatastoreDecisionStore(broker), states,
                InstantSource.system(),
                (delay, task) -> timer.schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS), loops,
                background));
            OvsdbBridgeDriver bridges = keep(new OvsdbBridgeDriver(settings(configuration), manager));
            OpenFlowRuleChannel rules =
                keep(new OpenFlowRuleChannel(rpcs, broker, notifications, connections, manager, READ_LIMIT_MILLIS));
            manager.drive(rules, bridges);
            parts.push(new ConfigReader(broker, manager));
        } catch (IOException | RuntimeException e) {
            stop();
            throw e;
        }
        LOG.info("daqfabric started; OVSDB listens on {}:{}", configuration.ovsdb$_$address(),
            configuration.ovsdb$_$port());
    }

    private <T extends AutoCloseable> T keep(T part) {
        parts.push(part);
        return part;
    }

    private static OvsdbSettings settings(Configuration configuration) {
        String address = configuration.ovsdb$_$address().trim();
        Optional<InetSocketAddress> listen = address.isEmpty() ? Optional.empty()
            : Optional.of(new InetSocketAddress(InetAddresses.forString(address), configuration.ovsdb$_$port()));
        Set<String> controllers = new TreeSet<>();
        Arrays.stream(configuration.openflow$_$controllers().split(",")).map(String::trim)
            .filter(target -> !target.isEmpty()).forEach(controllers::add);
        return new OvsdbSettings(listen, configuration.openflow$_$port(), controllers);
    }

    /** Leaves the switches as they are: they keep forwarding. */
    @Deactivate
    void stop() {
        while (!parts.isEmpty()) {
            AutoCloseable part = parts.pop();
            try {
                part.close();
            } catch (Exception e) {
                LOG.warn("{} did not close", part, e);
            }
        }
        LOG.info("daqfabric stopped; switches keep what they hold");
    }
}
