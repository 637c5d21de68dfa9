package org.daqfabric.impl;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.daqfabric.api.run.PartitionState;
import org.daqfabric.impl.alarms.AlarmKeeper;
import org.daqfabric.impl.async.Clocks;
import org.daqfabric.impl.cluster.ActiveRole;
import org.daqfabric.impl.controller.FabricDrivers;
import org.daqfabric.impl.controller.FabricManager;
import org.daqfabric.impl.controller.spi.FrozenException;
import org.daqfabric.impl.controller.spi.PathProver;
import org.daqfabric.impl.controller.spi.RuleChannel;
import org.daqfabric.impl.controller.spi.StandbyException;
import org.daqfabric.impl.controller.spi.Timer;
import org.daqfabric.impl.metrics.Metrics;
import org.daqfabric.impl.northbound.AlarmRpcs;
import org.daqfabric.impl.northbound.DatastoreRunStore;
import org.daqfabric.impl.northbound.FabricHistory;
import org.daqfabric.impl.northbound.InstallationRpcs;
import org.daqfabric.impl.northbound.OperationRpcs;
import org.daqfabric.impl.northbound.RemovalRpcs;
import org.daqfabric.impl.northbound.RunControlRpcs;
import org.daqfabric.impl.northbound.RunPublisher;
import org.daqfabric.impl.northbound.TrafficRpcs;
import org.daqfabric.impl.northbound.Uptake;
import org.daqfabric.impl.northbound.ViewRpcs;
import org.daqfabric.impl.northbound.WhatIfRpcs;
import org.daqfabric.impl.ovsdb.OvsdbBridgeDriver;
import org.daqfabric.impl.runcontrol.EventLog;
import org.daqfabric.impl.runcontrol.LatestPartitions;
import org.daqfabric.impl.runcontrol.RunControl;
import org.daqfabric.impl.service.ControllerService.Views;
import org.eclipse.jdt.annotation.Nullable;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.NotificationPublishService;
import org.opendaylight.mdsal.binding.api.RpcProviderService;
import org.opendaylight.yangtools.concepts.Registration;

/**
 * What runs only while this controller is active: the fabrics' event loops, run control, and the rpcs that need them,
 * which OpenDaylight routes here from the other members of a cluster.
 */
final class ActiveController implements ActiveRole {
    /** No event takes as long. */
    private static final Duration STANDS = Duration.ofSeconds(2);

    private final FabricManager manager;
    private final RuleChannel rules;
    private final OvsdbBridgeDriver bridges;
    private final PathProver proofs;
    private final BooleanSupplier mayChange;
    private final Platform platform;
    private final FabricHistory history;
    private final Views views;
    private final Metrics metrics;
    private final AlarmKeeper alarms;
    private final Timer timer;
    private final Executor loops;
    private final ScheduledExecutorService notifier;
    @GuardedBy("this")
    private final Deque<Registration> open = new ArrayDeque<>();
    private volatile @Nullable RunControl runs;
    /** How often the role was begun and ended. */
    @GuardedBy("this")
    private int changes;
    /** Completes when the last {@link #restart} has carried out its task. */
    @GuardedBy("this")
    private CompletableFuture<Void> restarted = CompletableFuture.completedFuture(null);
    private volatile LatestPartitions partitions = new LatestPartitions();

    /** What OpenDaylight provides, and what is known of it. */
    record Platform(DataBroker broker, RpcProviderService rpcs, NotificationPublishService notifications,
            OwnInstallation installation, Uptake uptake) {
    }

    ActiveController(FabricManager manager, RuleChannel rules, OvsdbBridgeDriver bridges, PathProver proofs,
            BooleanSupplier mayChange, Platform platform, FabricHistory history, Views views, Metrics metrics,
            AlarmKeeper alarms, Timer timer, Executor loops, ScheduledExecutorService notifier) {
        this.manager = manager;
        this.rules = rules;
        this.bridges = bridges;
        this.proofs = proofs;
        this.mayChange = mayChange;
        this.platform = platform;
        this.history = history;
        this.views = views;
        this.metrics = metrics;
        this.alarms = alarms;
        this.timer = timer;
        this.loops = loops;
        this.notifier = notifier;
    }

    @Override
    public synchronized void begin() {
        changes++;
        start();
    }

    @GuardedBy("this")
    private void start() {
        EventLog events = new EventLog(UUID.randomUUID().toString(), InstantSource.system());
        partitions = new LatestPartitions(new RunPublisher(platform.broker(), platform.notifications(), notifier),
            metrics);
        runs = new RunControl(manager, new DatastoreRunStore(platform.broker()), partitions, events,
            Clocks.system(), timer, loops);
        platform.installation().begin();
        manager.activate(new FabricDrivers(rules, bridges, runs, proofs, mayChange));
        metrics.active(true);
        alarms.begin();
        open.push(new OperationRpcs(platform.rpcs(), manager, platform.uptake())::close);
        open.push(new RemovalRpcs(platform.rpcs(), manager)::close);
        open.push(new InstallationRpcs(platform.rpcs(), platform.installation().store(),
            bridges::otherInstallations)::close);
        open.push(new WhatIfRpcs(platform.rpcs(), manager, history, views.traffic(), platform.uptake())::close);
        open.push(new TrafficRpcs(platform.rpcs(), views.traffic(), platform.uptake())::close);
        open.push(new ViewRpcs(platform.rpcs(), views.rules(), views.networks(), platform.uptake())::close);
        open.push(new RunControlRpcs(platform.rpcs(), runs, events, platform.uptake())::close);
        open.push(new AlarmRpcs(platform.rpcs(), alarms, InstantSource.system())::close);
        open.push(history.recording());
    }

    @Override
    public void pause() {
        manager.pause();
    }

    @Override
    public void resume() {
        manager.resume();
        bridges.resume();
    }

    @Override
    public synchronized CompletionStage<Void> end() {
        changes++;
        return runs == null ? restarted : stop();
    }

    /**
     * Ends everything, carries out a task and begins again, unless the role was ended meanwhile.
     *
     * @return what the task returns; fails with a {@link StandbyException} if the role has not begun, and with a {@link
     *     FrozenException} if the event loop of a fabric stands: nothing would be repaired until it had ended
     */
    synchronized <T> CompletionStage<T> restart(Supplier<CompletionStage<T>> task) {
        if (runs == null) {
            return CompletableFuture.failedFuture(new StandbyException(
                manager.standbyReason().orElse("the controller is just starting: try again in a moment")));
        }
        Optional<String> standing = manager.specs().keySet().stream().filter(this::stands).findFirst();
        if (standing.isPresent()) {
            return CompletableFuture.failedFuture(new FrozenException("the event loop of fabric " + standing.get()
                + " stands, so that nothing was begun: see daqfabric:doctor, restart the controller, and try again"));
        }
        int before = changes;
        CompletionStage<T> done = stop().thenCompose(stopped -> task.get())
            .whenComplete((result, failure) -> startAgain(before));
        restarted = done.<Void>handle((result, failure) -> null).toCompletableFuture();
        return done;
    }

    private boolean stands(String fabric) {
        return manager.loopState(fabric).filter(loop -> loop.standing().compareTo(STANDS) > 0).isPresent();
    }

    private synchronized void startAgain(int before) {
        if (changes == before) {
            start();
        }
    }

    @GuardedBy("this")
    private CompletionStage<Void> stop() {
        open.forEach(Registration::close);
        open.clear();
        runs.close();
        runs = null;
        metrics.partitionsChanged(List.of());
        metrics.active(false);
        alarms.end();
        return manager.deactivate().thenRun(bridges::relinquish);
    }

    /**
     * Why a fabric must not be changed now, as far as run control knows; empty if it may, or if it does not run here.
     */
    Optional<String> frozenBy(String fabric) {
        RunControl running = runs;
        return running == null ? Optional.empty() : running.frozenBy(fabric);
    }

    List<PartitionState> partitions() {
        return partitions.newest();
    }

    /**
     * Withdraws the rpcs, records no more and ends run control: connections to switches that are closed next have not
     * failed in a run. The fabrics end with the parts they use.
     */
    synchronized void close() {
        open.forEach(Registration::close);
        open.clear();
        if (runs != null) {
            runs.close();
        }
    }
}
