package org.daqfabric.impl;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.daqfabric.api.FabricService;
import org.daqfabric.api.run.PartitionState;
import org.daqfabric.impl.access.Logins;
import org.daqfabric.impl.alarms.AlarmKeeper;
import org.daqfabric.impl.async.Clocks;
import org.daqfabric.impl.async.Repeating;
import org.daqfabric.impl.cluster.Leadership;
import org.daqfabric.impl.cluster.Member;
import org.daqfabric.impl.controller.FabricManager;
import org.daqfabric.impl.controller.FabricServices;
import org.daqfabric.impl.controller.LatestStates;
import org.daqfabric.impl.controller.spi.Timer;
import org.daqfabric.impl.controller.whatif.RuleQueries;
import org.daqfabric.impl.controller.whatif.TrafficQueries;
import org.daqfabric.impl.controller.whatif.WarmUp;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Protocol;
import org.daqfabric.impl.metrics.Metrics;
import org.daqfabric.impl.northbound.AdminStates;
import org.daqfabric.impl.northbound.AlarmPublisher;
import org.daqfabric.impl.northbound.BackupRpcs;
import org.daqfabric.impl.northbound.Backups;
import org.daqfabric.impl.northbound.ConfigReader;
import org.daqfabric.impl.northbound.ConfigurationText;
import org.daqfabric.impl.northbound.DatastoreAlarmStore;
import org.daqfabric.impl.northbound.DatastoreDecisionStore;
import org.daqfabric.impl.northbound.DatastoreLeaseStore;
import org.daqfabric.impl.northbound.DatastoreRemovalStore;
import org.daqfabric.impl.northbound.FabricCohort;
import org.daqfabric.impl.northbound.FabricHistory;
import org.daqfabric.impl.northbound.HistoryRpcs;
import org.daqfabric.impl.northbound.LeaseCohort;
import org.daqfabric.impl.northbound.ListenerWriter;
import org.daqfabric.impl.northbound.PlanningRpcs;
import org.daqfabric.impl.northbound.StateCohort;
import org.daqfabric.impl.northbound.StateWriter;
import org.daqfabric.impl.northbound.StoredRuns;
import org.daqfabric.impl.northbound.Uptake;
import org.daqfabric.impl.northbound.views.StandardViews;
import org.daqfabric.impl.northbound.views.ViewsCohort;
import org.daqfabric.impl.openflow.OpenFlowRuleChannel;
import org.daqfabric.impl.ovsdb.OvsdbBridgeDriver;
import org.daqfabric.impl.ovsdb.OvsdbSettings;
import org.daqfabric.impl.platform.DiskSpace;
import org.daqfabric.impl.platform.EndedJournals;
import org.daqfabric.impl.platform.LostMembers;
import org.daqfabric.impl.platform.LostReporters;
import org.daqfabric.impl.platform.MemberRestart;
import org.daqfabric.impl.platform.OpenFlowListener;
import org.daqfabric.impl.platform.ShardRepair;
import org.daqfabric.impl.proof.PathProofs;
import org.daqfabric.impl.service.ControllerService;
import org.daqfabric.impl.service.ControllerService.Views;
import org.daqfabric.impl.service.DiagnosisCollector;
import org.daqfabric.impl.service.KnownState;
import org.daqfabric.impl.service.Listeners;
import org.daqfabric.impl.service.Listeners.ListenAddress;
import org.daqfabric.impl.service.StoreProbe;
import org.daqfabric.impl.tls.TlsException;
import org.daqfabric.impl.tls.TlsFiles;
import org.daqfabric.impl.tls.TlsIdentity;
import org.opendaylight.controller.cluster.datastore.DistributedDataStoreInterface;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.NotificationPublishService;
import org.opendaylight.mdsal.binding.api.RpcProviderService;
import org.opendaylight.mdsal.dom.api.DOMDataBroker;
import org.opendaylight.mdsal.dom.api.DOMSchemaService;
import org.opendaylight.openflowjava.protocol.spi.connection.SwitchConnectionProviderFactory;
import org.opendaylight.yangtools.binding.data.codec.api.BindingNormalizedNodeSerializer;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The application: creates configuration reader, controller and drivers, and closes them in reverse order. */
@Component(service = { }, immediate = true, configurationPid = "org.daqfabric")
public final class DaqFabric {
    private static final Logger LOG = LoggerFactory.getLogger(DaqFabric.class);
    private static final long READ_LIMIT_MILLIS = 10_000;
    private static final long CLOSE_SECONDS = 4;
    /** How often the event loops are seen to. */
    private static final long CHECK_MILLIS = 500;
    /** How often nodes and certificates are looked at, which takes some time. */
    private static final long LOOK_MILLIS = 10_000;
    /** How often the datastores are tried. */
    private static final long PROBE_MILLIS = 60_000;

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    /** Those of OpenFlow; the driver has those of OVSDB. */
    private final List<OpenFlowListener> listeners = new CopyOnWriteArrayList<>();

    /** The settings in {@code etc/org.daqfabric.cfg}. */
    public @interface Configuration {
        /** Address to listen on for OVSDB, or a name of it; empty for none. */
        String ovsdb$_$address() default "127.0.0.1";

        /** TCP port for plain OVSDB; 0 for none. */
        int ovsdb$_$port() default OvsdbSettings.OVSDB_PORT;

        /** TCP port for OVSDB over TLS; 0 for none. */
        int ovsdb$_$tls$_$port() default 0;

        /** Address to listen on for OpenFlow, or a name of it; empty for none. */
        String openflow$_$address() default "127.0.0.1";

        /** TCP port for plain OpenFlow, which switches are configured to connect to; 0 for none. */
        int openflow$_$port() default OvsdbSettings.OPENFLOW_PORT;

        /** TCP port for OpenFlow over TLS, which switches are configured to connect to; 0 for none. */
        int openflow$_$tls$_$port() default 0;

        /** PEM file of the controller's key. */
        String tls$_$private$_$key() default "";

        /** PEM file of the controller's certificate. */
        String tls$_$certificate() default "";

        /** Of HTTPS and of the member; here for its date alone. */
        String controller$_$certificate() default "";

        /** PEM file of the CA certificates that the switches' certificates must be signed by. */
        String tls$_$ca$_$certificate() default "";

        /**
         * The OpenFlow controllers that switches are configured with, such as {@code
         * tcp:10.0.0.1:6653,tcp:10.0.0.2:6653}; empty for the addresses of their OVSDB managers.
         */
        String openflow$_$controllers() default "";

        /** Period in seconds at which every switch is compared with its program; 0 for never. */
        int compare$_$interval() default 60;

        /** Seconds after which a proof is too old for a run to begin; 0 for never. */
        int proof$_$age() default 0;

        /** How many accepted configurations of each fabric are kept; at least 1. */
        int history$_$size() default 100;
    }

    @Activate
    @SuppressWarnings("checkstyle:illegalCatch") // thrown again, after what was begun is closed
    public DaqFabric(@Reference DataBroker broker, @Reference DOMDataBroker domBroker,
            @Reference RpcProviderService rpcProviders, @Reference NotificationPublishService publisher,
            @Reference BindingNormalizedNodeSerializer serializer, @Reference DOMSchemaService schemas,
            @Reference SwitchConnectionProviderFactory openFlow, @Reference Metrics metrics, @Reference Logins logins,
            @Reference DiskSpace disks, Configuration configuration, BundleContext bundles) throws IOException {
        // repairs depend on timers: nothing runs here that takes long
        ScheduledExecutorService timer = schedule("timer");
        ExecutorService loops = Executors.newFixedThreadPool(Math.max(2, Runtime.getRuntime().availableProcessors()),
            Thread.ofPlatform().daemon().name("daqfabric-loop-", 0).factory());
        parts.push(loops::shutdownNow);
        final ScheduledExecutorService background = schedule("background", Thread.MIN_PRIORITY);
        final ScheduledExecutorService questions = schedule("questions", Thread.MIN_PRIORITY);
        try {
            // a datastore that is slow, or keeps its callers waiting, must delay neither timers nor loops
            Path home = Path.of(System.getProperty("karaf.base", ""));
            Member member = Member.read(home);
            final LostMembers lost = new LostMembers(Member.addresses(home));
            StateWriter state = keep(new StateWriter(broker, schedule("state")));
            StandardViews shown = keep(new StandardViews(broker, schedule("views"), member.isAlone()));
            LatestStates states = new LatestStates(state, shown, metrics);
            ScheduledExecutorService store = schedule("store");
            ConfigurationText text = new ConfigurationText(serializer, schemas::getGlobalContext);
            Clocks clocks = Clocks.system();
            Timer delays = (delay, task) -> timer.schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
            FabricServices services = new FabricServices(new DatastoreDecisionStore(broker, text, store),
                new DatastoreRemovalStore(broker, store), states, clocks,
                delays, loops, background, questions, Duration.ofSeconds(configuration.compare$_$interval()), metrics);
            WarmUp.begin(background, clocks.steady());
            FabricManager manager = keep(new FabricManager(services));
            AtomicReference<Leadership> leadership = new AtomicReference<>();
            BooleanSupplier mayChange = member.isAlone() ? () -> true
                : () -> leadership.get() != null && leadership.get().maySend();
            OwnInstallation installation = keep(new OwnInstallation(broker, store, delays));
            OvsdbBridgeDriver bridges = keep(new OvsdbBridgeDriver(OvsdbConfiguration.settings(configuration, manager,
                member.members()), manager, () -> installation.isKnown() && mayChange.getAsBoolean(), installation));
            installation.onChange(bridges::resume);
            OpenFlowRuleChannel rules = keep(new OpenFlowRuleChannel(manager, new SwitchPeers(manager, bridges),
                READ_LIMIT_MILLIS));
            metrics.refusals("ovsdb", bridges::refusals);
            metrics.refusals("openflow", rules::refusals);
            metrics.logins(logins::counts);
            metrics.disks(disks::now);
            ScheduledExecutorService watch = schedule("watch");
            repeat(watch, CHECK_MILLIS, "watching the event loops", manager::checkLoops);
            ScheduledExecutorService notifier = schedule("notify");
            FabricHistory history = new FabricHistory(broker, text, configuration.history$_$size());
            Views views = new Views(new RuleQueries(manager.whatIf(), rules::read),
                new TrafficQueries(manager.whatIf(), rules::counted, questions),
                name -> shown.networks(manager.spec(name).name()));
            AtomicReference<Supplier<List<PartitionState>>> partitions = new AtomicReference<>(List::of);
            Listeners addresses = new Listeners(listenAddresses(configuration), () -> openAddresses(bridges));
            var collector = new DiagnosisCollector(addresses, new DiagnosisCollector.Papers(
                OvsdbConfiguration.tlsFiles(configuration), configuration.controller$_$certificate()), bridges,
                new DiagnosisCollector.OpenFlow(rules::claims, rules::refusedPeers, rules::late),
                new DiagnosisCollector.Accounts(logins::unstored, logins::refused),
                new StoreProbe(broker, new EndedJournals(() -> stores(bundles))::in), disks::now, lost::now);
            KnownState known = new KnownState(manager, states, () -> partitions.get().get(), collector);
            AlarmKeeper alarms = new AlarmKeeper(known::quick, new DatastoreAlarmStore(broker, store),
                List.of(metrics, new AlarmPublisher(broker, publisher, notifier)), clocks);
            Uptake uptake = new Uptake(broker);
            ActiveController running = new ActiveController(manager, rules, bridges,
                keep(new PathProofs(rules, mayChange, Duration.ofSeconds(configuration.proof$_$age()))), mayChange,
                new ActiveController.Platform(broker, rpcProviders, publisher, installation, uptake), history, views,
                metrics, alarms, delays, loops, notifier);
            partitions.set(running::partitions);
            StoredRuns stored = keep(new StoredRuns(broker));
            parts.push(new FabricCohort(domBroker, serializer,
                fabric -> running.frozenBy(fabric).or(() -> stored.frozenBy(fabric)), disks::refusal));
            if (member.isAlone()) {
                running.begin();
            }
            parts.push(running::close);
            parts.push(new ConfigReader(broker, manager, uptake));
            parts.push(new PlanningRpcs(rpcProviders, manager::spec));
            Backups backups = new Backups(domBroker, serializer, schemas::getGlobalContext, manager, running::restart,
                bundles.getBundle().getVersion().toString(), InstantSource.system(), disks::refusal);
            parts.push(new BackupRpcs(rpcProviders, backups));
            parts.push(new HistoryRpcs(rpcProviders, history));
            FabricService service = new ControllerService(manager, states, running::partitions, new AdminStates(broker),
                backups, known, alarms, history, views);
            parts.push(bundles.registerService(FabricService.class, service, null)::unregister);
            listen(openFlow, configuration, rules);
            ListenerWriter told = keep(new ListenerWriter(member.name(), broker, store));
            repeat(watch, CHECK_MILLIS, "telling of listeners", () -> told.publish(addresses.now(), rules.claims()));
            ScheduledExecutorService look = schedule("look");
            repeat(look, LOOK_MILLIS, "looking at nodes and certificates", alarms.ifActive(collector::look));
            repeat(look, PROBE_MILLIS, "trying to write the datastores", alarms.ifActive(collector::probe));
            repeat(schedule("alarms"), CHECK_MILLIS, "raising and clearing alarms", alarms::evaluate);
            if (!member.isAlone()) {
                parts.push(new LeaseCohort(domBroker, serializer));
                keep(new ViewsCohort(domBroker, serializer, keep(new StateCohort(domBroker, serializer, broker))));
                keep(new ShardRepair(() -> stores(bundles), metrics::shardRepaired,
                    () -> MemberRestart.request(bundles)));
                keep(new LostReporters(lost));
                join(member, broker, running, manager, leadership);
            }
            // while it is active and all threads run
            keep(alarms);
        } catch (IOException | RuntimeException e) {
            LOG.error("daqfabric does not start: {}. Then restart the controller", e.getMessage());
            stop();
            throw e;
        }
        LOG.info("daqfabric started");
    }

    /** Joins the cluster; only one of its members is active at a time. */
    private void join(Member member, DataBroker broker, ActiveController running, FabricManager manager,
            AtomicReference<Leadership> leadership) {
        LOG.info("daqfabric is {} of {} controllers", member.name(), member.members());
        // a thread of its own: a delay anywhere else must not cost the lease
        final ScheduledExecutorService ticks = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("daqfabric-lease").factory());
        keep(new MemberRestart());
        DatastoreLeaseStore store = keep(new DatastoreLeaseStore(broker, term -> {
            Leadership known = leadership.get();
            if (known != null) {
                known.saw(term);
            }
        }));
        Leadership own = new Leadership(member, store, running, System::nanoTime, InstantSource.system());
        leadership.set(own);
        manager.standby(own::standby);
        repeat(ticks, Leadership.TICK.toMillis(), "renewing the lease", own::tick);
        parts.push(ticks::shutdown);
        parts.push(() -> {
            try {
                own.close().toCompletableFuture().get(CLOSE_SECONDS, TimeUnit.SECONDS);
            } catch (ExecutionException | TimeoutException e) {
                LOG.info("The lease could not be released: another member takes over in some seconds", e);
            }
        });
    }

    /** OpenDaylight's datastores, those that run at this moment. */
    private static Collection<DistributedDataStoreInterface> stores(BundleContext bundles) {
        try {
            return bundles.getServiceReferences(DistributedDataStoreInterface.class, null).stream()
                .map(bundles::getService).filter(Objects::nonNull).toList();
        } catch (InvalidSyntaxException e) {
            throw new IllegalStateException(e); // there is no filter
        }
    }

    /** A thread for tasks at certain times, which ends with the application. */
    private ScheduledExecutorService schedule(String name) {
        return schedule(name, Thread.NORM_PRIORITY);
    }

    private ScheduledExecutorService schedule(String name, int priority) {
        ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().priority(priority).name("daqfabric-" + name).factory());
        parts.push(thread::shutdownNow);
        return thread;
    }

    private static void repeat(ScheduledExecutorService thread, long millis, String what, Runnable task) {
        thread.scheduleWithFixedDelay(new Repeating(what, thread, task), 0, millis, TimeUnit.MILLISECONDS);
    }

    private <T extends AutoCloseable> T keep(T part) {
        parts.push(part);
        return part;
    }

    private void listen(SwitchConnectionProviderFactory openFlow, Configuration configuration,
            OpenFlowRuleChannel rules) throws TlsException {
        var plain = openflowAddress(configuration, configuration.openflow$_$port());
        if (plain.isPresent()) {
            listeners.add(keep(new OpenFlowListener(openFlow, plain.get(), Optional.empty(), rules)));
        }
        var secure = openflowAddress(configuration, configuration.openflow$_$tls$_$port());
        if (secure.isPresent()) {
            TlsIdentity identity = TlsIdentity.read(TlsFiles.needed("openflow-tls-port",
                configuration.tls$_$private$_$key(), configuration.tls$_$certificate(),
                configuration.tls$_$ca$_$certificate()));
            listeners.add(keep(new OpenFlowListener(openFlow, secure.get(), Optional.of(identity), rules)));
        }
    }

    /** Where this controller is configured to listen. */
    private static List<ListenAddress> listenAddresses(Configuration configuration) {
        List<ListenAddress> listenAddresses = new ArrayList<>();
        ovsdbAddress(configuration, configuration.ovsdb$_$port())
            .ifPresent(address -> listenAddresses.add(new ListenAddress(Protocol.OVSDB, false, address)));
        ovsdbAddress(configuration, configuration.ovsdb$_$tls$_$port())
            .ifPresent(address -> listenAddresses.add(new ListenAddress(Protocol.OVSDB, true, address)));
        openflowAddress(configuration, configuration.openflow$_$port())
            .ifPresent(address -> listenAddresses.add(new ListenAddress(Protocol.OPENFLOW, false, address)));
        openflowAddress(configuration, configuration.openflow$_$tls$_$port())
            .ifPresent(address -> listenAddresses.add(new ListenAddress(Protocol.OPENFLOW, true, address)));
        return listenAddresses;
    }

    /** Where this controller listens at this moment. */
    private Set<InetSocketAddress> openAddresses(OvsdbBridgeDriver bridges) {
        Set<InetSocketAddress> open = new HashSet<>(bridges.listenAddresses());
        listeners.forEach(each -> each.listenAddress().ifPresent(open::add));
        return open;
    }

    static Optional<InetSocketAddress> ovsdbAddress(Configuration configuration, int port) {
        return ListenSetting.of("ovsdb-address", configuration.ovsdb$_$address(), port);
    }

    private static Optional<InetSocketAddress> openflowAddress(Configuration configuration, int port) {
        return ListenSetting.of("openflow-address", configuration.openflow$_$address(), port);
    }

    /** Leaves the switches as they are: they keep forwarding. */
    @Deactivate
    @SuppressWarnings("checkstyle:illegalCatch") // one part that does not close must not keep the others open
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
