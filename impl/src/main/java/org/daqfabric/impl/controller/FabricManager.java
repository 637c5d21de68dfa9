package org.daqfabric.impl.controller;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.daqfabric.api.placement.SwitchIdentity;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.state.MarkedBridge;
import org.daqfabric.api.state.PortBit;
import org.daqfabric.api.state.RingDrops;
import org.daqfabric.api.state.Verification;
import org.daqfabric.impl.controller.spi.BridgeListener;
import org.daqfabric.impl.controller.spi.ConfigListener;
import org.daqfabric.impl.controller.spi.FabricControl;
import org.daqfabric.impl.controller.spi.Recorder;
import org.daqfabric.impl.controller.spi.RuleListener;
import org.daqfabric.impl.controller.spi.RunDirective;
import org.daqfabric.impl.controller.spi.StandbyException;
import org.daqfabric.impl.controller.whatif.WhatIfQueries;
import org.daqfabric.impl.engine.check.InvalidInputException;
import org.daqfabric.impl.engine.identity.Relabelling;
import org.daqfabric.impl.engine.run.FabricStatus;
import org.eclipse.jdt.annotation.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes each event to the loop of its fabric, and remembers what connected before its fabric was configured. */
public final class FabricManager implements ConfigListener, BridgeListener, RuleListener, FabricControl, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FabricManager.class);

    private final FabricServices services;
    @GuardedBy("this")
    private final SwitchDirectory directory = new SwitchDirectory();
    private final WhatIfQueries queries;
    private final OrphanBridges orphans;
    @GuardedBy("this")
    private final Map<String, FabricLoop> loops = new HashMap<>();
    @GuardedBy("this")
    private final Map<String, FabricSpec> specs = new HashMap<>();
    private final LoopHealths healths;
    /** Completes when the loops of a fabric that were replaced or removed have ended, by name. */
    @GuardedBy("this")
    private final Map<String, CompletionStage<Void>> endings = new HashMap<>();
    @GuardedBy("this")
    private final Disconnections leaving;
    @GuardedBy("this")
    private final Connected connected = new Connected();
    /** Null while this controller is not active. */
    @GuardedBy("this")
    private @Nullable FabricDrivers drivers;
    /** Why this controller is not active, as a message for callers. */
    @GuardedBy("this")
    private Supplier<String> standby = () -> "the controller is just starting: try again in a moment";
    @GuardedBy("this")
    private boolean configurationRead;

    /**
     * Creates a manager of no fabrics. It follows switches and configurations, and changes nothing until it is given
     * its drivers by {@link #activate}.
     */
    public FabricManager(FabricServices services) {
        this.services = services;
        leaving = new Disconnections(services.timer());
        healths = new LoopHealths(services.clocks(), services.recorder());
        orphans = new OrphanBridges(services, this::fabricOf, this::standbyMessage);
        queries = new WhatIfQueries(this::specs, this::spec,
            (fabric, asked) -> call(fabric, loop -> loop.snapshot(asked)), services.questions());
    }

    /** Gives the manager its drivers: it starts the event loops of all fabrics. */
    public synchronized void activate(FabricDrivers given) {
        drivers = given;
        Removals begun = orphans.begin(given.bridges());
        reconfigureAll();
        if (configurationRead) {
            begun.configurationRead();
        }
    }

    /** Sets the message for callers while this controller is not active. */
    public synchronized void standby(Supplier<String> message) {
        standby = message;
    }

    /** Why this controller is not active; empty if it is. */
    public synchronized Optional<String> standbyReason() {
        return drivers == null ? Optional.of(standby.get()) : Optional.empty();
    }

    /** Switches must not be changed for now: nothing is sent to them. */
    public synchronized void pause() {
        loops.values().forEach(FabricLoop::pause);
    }

    /** Switches may be changed again, and no other member has changed them meanwhile. */
    public synchronized void resume() {
        loops.values().forEach(FabricLoop::resume);
    }

    /**
     * Takes the drivers away: another member of the cluster becomes active.
     *
     * @return completes when all event loops of this one have ended
     */
    public synchronized CompletionStage<Void> deactivate() {
        final CompletableFuture<?>[] ending =
            loops.values().stream().map(FabricLoop::deactivate).toArray(CompletableFuture[]::new);
        loops.clear();
        endings.clear();
        healths.endAll();
        drivers = null;
        orphans.end();
        reconfigureAll();
        return CompletableFuture.allOf(ending);
    }

    private void reconfigureAll() {
        directory.clear();
        List<FabricSpec> all = List.copyOf(new TreeMap<>(specs).values());
        specs.clear();
        all.forEach(this::fabricChanged);
    }

    /** Takes a configuration up; one that is in force already changes nothing. */
    @Override
    public synchronized void fabricChanged(FabricSpec spec) {
        String fabric = spec.name();
        if (spec.equals(specs.get(fabric)) && (drivers == null || loops.containsKey(fabric))) {
            return;
        }
        FabricSpec before = specs.put(fabric, spec);
        directory.configure(spec);
        if (drivers == null) {
            return;
        }
        FabricLoop loop = loops.get(fabric);
        if (loop == null) {
            loop = begin(fabric);
        } else if (before != null && Relabelling.between(before, spec).changesLabels()) {
            // the loop knows switches by their names: a new one takes the fabric over as after a restart
            comesAfter(fabric, loop.replaced());
            loop = begin(fabric);
        }
        orphans.removals().configured(spec);
        loop.configured(spec);
    }

    private FabricLoop begin(String fabric) {
        FabricLoop loop = new FabricLoop(fabric, endings.getOrDefault(fabric, CompletableFuture.completedFuture(null)),
            this::identified, services, drivers, orphans.removals(), healths.of(fabric));
        loops.put(fabric, loop);
        return loop;
    }

    /** The next loop of a fabric begins after this one has ended, too. */
    private void comesAfter(String fabric, CompletionStage<Void> ending) {
        endings.merge(fabric, ending, (earlier, end) -> earlier.thenCombine(end, (done, ended) -> ended));
    }

    private synchronized void identified(FabricLoop loop, String fabric, SortedMap<String, SwitchIdentity> switches) {
        if (loops.get(fabric) == loop) {
            directory.identify(fabric, loop, switches)
                .forEach(name -> connected.replay(loop.reports(), name, switches.get(name)));
        }
    }

    /** How the event loop of a fabric is; empty if it has none here. */
    public Optional<Recorder.LoopState> loopState(String fabric) {
        return healths.state(fabric);
    }

    /**
     * Sees to the event loops in which something has failed: they act once more, and are replaced by new ones that are
     * told everything again. Called periodically, by a thread of its own.
     */
    @SuppressWarnings("checkstyle:illegalCatch") // a fault in one fabric must not stop the others
    public void checkLoops() {
        for (FabricSpec each : specs().values()) {
            try {
                checkLoop(each.name());
            } catch (Throwable e) {
                LOG.error("fabric {}: its event loop could not be replaced; trying again", each.name(), e);
            }
        }
    }

    private synchronized void checkLoop(String fabric) {
        FabricSpec spec = specs.get(fabric);
        if (drivers == null || spec == null) {
            return;
        }
        FabricLoop loop = loops.get(fabric);
        LoopHealth health = healths.of(fabric);
        if (loop != null && health.beginRebuild()) {
            LOG.warn("fabric {}: events failed, see above: its event loop is replaced by one that is told everything"
                + " again; switches keep forwarding", fabric);
            loops.remove(fabric);
            comesAfter(fabric, loop.abandon());
            loop = null;
        }
        if (loop == null) { // also if it could not be built the last time
            specs.remove(fabric);
            fabricChanged(spec);
        } else if (health.hasFailed()) {
            loop.nudge();
        }
    }

    @Override
    public synchronized void fabricRemoved(String fabric) {
        specs.remove(fabric);
        FabricLoop loop = loops.remove(fabric);
        Set<Long> left = directory.remove(fabric);
        if (loop != null) {
            healths.end(fabric);
            drivers.runs().removed(fabric);
            orphans.removals().unconfigured(fabric);
            endings.put(fabric, loop.removed().thenCombine(leaving.of(left, connected.datapathIds()),
                (done, gone) -> gone));
        }
    }

    @Override
    public synchronized void configurationRead() {
        configurationRead = true;
        orphans.ifActive(Removals::configurationRead);
    }

    @Override
    public synchronized boolean isExpected(String systemId) {
        return !configurationRead || directory.isConfigured(systemId);
    }

    @Override
    public synchronized Optional<String> fabricOf(String systemId, String bridge) {
        return directory.fabricOf(systemId, bridge);
    }

    @Override
    public void bridgeGone(MarkedBridge bridge) {
        synchronized (this) { // Removals has a lock of its own
            connected.bridgeGone(bridge.systemId(), bridge.bridge());
        }
        orphans.ifActive(removed -> removed.gone(bridge));
    }

    @Override
    public synchronized void nodeConnected(String systemId, String ovsVersion, Set<String> interfaceTypes) {
        connected.node(systemId, interfaceTypes);
        boolean rings = Connected.supportsRings(interfaceTypes);
        directory.onNode(systemId).forEach(owner -> owner.loop().reports().nodeConnected(owner.switchName(), rings));
    }

    @Override
    public synchronized void nodeDisconnected(String systemId) {
        connected.nodeGone(systemId);
        directory.onNode(systemId).forEach(owner -> owner.loop().reports().nodeDisconnected(owner.switchName()));
    }

    @Override
    public synchronized void bridge(String systemId, String bridge, Map<String, PortStatus> ports, String error) {
        connected.bridge(systemId, bridge, ports, error);
        directory.ofBridge(systemId, bridge)
            .ifPresent(owner -> owner.loop().reports().bridge(owner.switchName(), ports, error));
    }

    @Override
    public synchronized void ringsDropped(String systemId, String bridge, SortedMap<String, RingDrops> drops,
            boolean isNow) {
        directory.ofBridge(systemId, bridge)
            .ifPresent(owner -> owner.loop().reports().ringsDropped(owner.switchName(), drops, isNow));
    }

    @Override
    public synchronized void switchConnected(long datapathId) {
        connected.datapath(datapathId);
        ofDatapath(datapathId, (loop, name) -> loop.reports().switchConnected(name));
    }

    @Override
    public synchronized void switchDisconnected(long datapathId) {
        connected.datapathGone(datapathId);
        ofDatapath(datapathId, (loop, name) -> loop.reports().switchDisconnected(name));
        leaving.disconnected(datapathId);
    }

    @Override
    public synchronized void portChanged(long datapathId, int number, boolean up, Set<PortBit> bits) {
        connected.port(datapathId, number, up, bits);
        ofDatapath(datapathId, (loop, name) -> loop.reports().portChanged(name, number, up, bits));
    }

    @Override
    public synchronized void rulesChanged(long datapathId) {
        ofDatapath(datapathId, (loop, name) -> loop.reports().rulesChanged(name));
    }

    @Override
    public synchronized void peerSeen(long datapathId, int port, long peerDatapathId, int peerPort) {
        ofDatapath(datapathId, (loop, name) -> loop.reports().peerSeen(name, port,
            directory.nameFor(loop.fabric(), peerDatapathId), peerPort));
    }

    private void ofDatapath(long datapathId, BiConsumer<FabricLoop, String> event) {
        directory.ofDatapath(datapathId).ifPresent(owner -> event.accept(owner.loop(), owner.switchName()));
    }

    /**
     * Reads switches of a fabric and compares them with their programs.
     *
     * @param switches all if empty
     * @param correct whether to correct what differs
     * @return fails with an {@link InvalidInputException} where a name is wrong
     */
    public CompletionStage<Verification> inspect(String fabric, Set<String> switches, boolean correct) {
        return call(fabric, loop -> loop.inspect(switches, correct));
    }

    /**
     * Takes held-back links into use and places anew; any DCM may move if that improves the placement.
     *
     * @param limit number of DCMs that may move at most; empty for no limit
     * @return number of DCMs that move; fails with an {@link InvalidInputException} where the name is wrong
     */
    public CompletionStage<Integer> rebalance(String fabric, OptionalInt limit) {
        return call(fabric, loop -> loop.rebalance(limit));
    }

    /** The bridges that no fabric has, and those that are still to be removed. */
    public OrphanBridges orphans() {
        return orphans;
    }

    private synchronized String standbyMessage() {
        return standby.get();
    }

    /** Questions about what a change or a failure would do. */
    public WhatIfQueries whatIf() {
        return queries;
    }

    /**
     * The configuration of a fabric.
     *
     * @throws InvalidInputException if there is none of that name
     */
    public synchronized FabricSpec spec(String fabric) {
        return Optional.ofNullable(specs.get(fabric)).orElseThrow(() -> unknown(fabric));
    }

    /** Whether some fabric has a switch of that datapath-id, or had until its bridge is removed. */
    public synchronized boolean knows(long datapathId) {
        return directory.knows(datapathId);
    }

    @Override
    public synchronized SortedMap<String, FabricSpec> specs() {
        return new TreeMap<>(specs);
    }

    @Override
    public CompletionStage<FabricStatus> control(String fabric, RunDirective directive) {
        return call(fabric, loop -> loop.control(directive));
    }

    private synchronized <T> CompletionStage<T> call(String fabric, Function<FabricLoop, CompletionStage<T>> method) {
        FabricLoop loop = loops.get(fabric);
        if (loop == null && specs.containsKey(fabric)) {
            return CompletableFuture.failedFuture(new StandbyException(standby.get()));
        }
        return loop != null ? method.apply(loop) : CompletableFuture.failedFuture(unknown(fabric));
    }

    private InvalidInputException unknown(String fabric) {
        return new InvalidInputException("fabric", "there is no fabric " + fabric + "; "
            + (specs.isEmpty() ? "none is configured" : "configured: " + String.join(", ", specs().keySet())));
    }

    /** Ends all event loops and leaves the switches as they are. */
    @Override
    public synchronized void close() {
        loops.values().forEach(FabricLoop::close);
        loops.clear();
        orphans.end();
    }
}
