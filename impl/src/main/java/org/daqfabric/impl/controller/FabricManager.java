package org.daqfabric.impl.controller;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.api.state.Verification;
import org.daqfabric.impl.controller.SwitchDirectory.Owner;
import org.daqfabric.impl.controller.spi.BridgeListener;
import org.daqfabric.impl.controller.spi.ConfigListener;
import org.daqfabric.impl.controller.spi.FabricControl;
import org.daqfabric.impl.controller.spi.RuleListener;
import org.daqfabric.impl.controller.spi.RunDirective;
import org.daqfabric.impl.controller.spi.StandbyException;
import org.daqfabric.impl.controller.whatif.WhatIfQueries;
import org.daqfabric.impl.engine.check.InvalidInputException;
import org.daqfabric.impl.engine.compile.DatapathIds;
import org.daqfabric.impl.engine.run.FabricStatus;
import org.eclipse.jdt.annotation.Nullable;

/**
 * Passes every event to the event loop of the fabric it concerns, and remembers what connected before its fabric was
 * configured.
 */
public final class FabricManager implements ConfigListener, BridgeListener, RuleListener, FabricControl, AutoCloseable {
    private static final String DAQRING = "daqring";
    /** How long to wait for the switches of a removed fabric to disconnect. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final FabricServices services;
    @GuardedBy("this")
    private final SwitchDirectory directory = new SwitchDirectory();
    private final WhatIfQueries queries;
    @GuardedBy("this")
    private final Map<String, FabricLoop> loops = new HashMap<>();
    @GuardedBy("this")
    private final Map<String, FabricSpec> specs = new HashMap<>();
    /** Completes when the last removed fabric of a name is gone, by name. */
    @GuardedBy("this")
    private final Map<String, CompletionStage<Void>> removals = new HashMap<>();
    /** Switches of removed fabrics that are still connected; the key completes when they have disconnected. */
    @GuardedBy("this")
    private final Map<CompletableFuture<Void>, Set<Long>> leaving = new HashMap<>();
    /** Interface types of the connected nodes, by system-id. */
    @GuardedBy("this")
    private final Map<String, Set<String>> nodes = new HashMap<>();
    /** Whether each port of a connected switch forwards, by datapath-id and number. */
    @GuardedBy("this")
    private final Map<Long, Map<Integer, Boolean>> datapaths = new HashMap<>();
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
        queries = new WhatIfQueries(this::specs, this::spec,
            (fabric, asked) -> call(fabric, loop -> loop.snapshot(asked)), services.background());
    }

    /** Gives the manager its drivers: it starts the event loops of all fabrics. */
    public synchronized void activate(FabricDrivers given) {
        drivers = given;
        reconfigureAll();
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
        removals.clear();
        drivers = null;
        reconfigureAll();
        return CompletableFuture.allOf(ending);
    }

    private void reconfigureAll() {
        directory.forgetAllNames();
        List<FabricSpec> all = List.copyOf(new TreeMap<>(specs).values());
        specs.clear();
        all.forEach(this::fabricChanged);
    }

    @Override
    public synchronized void fabricChanged(FabricSpec spec) {
        FabricLoop loop = drivers == null ? null : loops.computeIfAbsent(spec.name(), name -> new FabricLoop(name,
            removals.getOrDefault(name, CompletableFuture.completedFuture(null)), services, drivers));
        FabricSpec before = specs.put(spec.name(), spec);
        if (before != null) {
            directory.remove(before);
        }
        if (loop != null) {
            loop.configured(spec);
        }
        for (Switch description : spec.switches()) {
            Owner owner = directory.add(spec.name(), loop, description);
            if (loop != null && (before == null || !before.switches().contains(description))) {
                replay(spec.name(), description, owner);
            }
        }
    }

    /** Reports to a fabric what connected before it was configured. */
    private void replay(String fabric, Switch description, Owner owner) {
        Set<String> types = nodes.get(description.systemId());
        if (types != null) {
            owner.loop().nodeConnected(owner.switchName(), types.contains(DAQRING));
        }
        Map<Integer, Boolean> ports = datapaths.get(DatapathIds.of(fabric, description.name()));
        if (ports != null) {
            owner.loop().switchConnected(owner.switchName());
            ports.forEach((number, up) -> owner.loop().portChanged(owner.switchName(), number, up));
        }
    }

    @Override
    public synchronized void fabricRemoved(String fabric) {
        FabricSpec spec = specs.remove(fabric);
        FabricLoop loop = loops.remove(fabric);
        if (spec != null) {
            directory.forgetNames(fabric);
            directory.remove(spec);
        }
        if (loop != null) {
            drivers.runs().removed(fabric);
            removals.put(fabric, loop.removed().thenCombine(disconnection(spec), (done, gone) -> gone));
        }
    }

    /**
     * Completes when the switches of a removed fabric have disconnected, or after {@link #PATIENCE}. A new fabric of
     * that name would mistake the connection of a bridge that is being removed for that of its own bridge.
     */
    private CompletionStage<Void> disconnection(FabricSpec spec) {
        CompletableFuture<Void> gone = new CompletableFuture<>();
        Set<Long> left = new HashSet<>();
        spec.switches().forEach(description -> left.add(DatapathIds.of(spec.name(), description.name())));
        left.retainAll(datapaths.keySet());
        if (left.isEmpty()) {
            gone.complete(null);
        } else {
            leaving.put(gone, left);
            services.timer().after(PATIENCE, () -> gone.complete(null));
        }
        return gone;
    }

    @Override
    public synchronized void configurationRead() {
        configurationRead = true;
    }

    @Override
    public synchronized boolean isExpected(String systemId) {
        return !configurationRead || directory.isConfigured(systemId);
    }

    @Override
    public synchronized void nodeConnected(String systemId, String ovsVersion, Set<String> interfaceTypes) {
        nodes.put(systemId, interfaceTypes);
        ofNode(systemId, (loop, name) -> loop.nodeConnected(name, interfaceTypes.contains(DAQRING)));
    }

    @Override
    public synchronized void nodeDisconnected(String systemId) {
        nodes.remove(systemId);
        ofNode(systemId, FabricLoop::nodeDisconnected);
    }

    private void ofNode(String systemId, BiConsumer<FabricLoop, String> event) {
        directory.onNode(systemId).forEach(owner -> event.accept(owner.loop(), owner.switchName()));
    }

    @Override
    public synchronized void bridge(String systemId, String bridge, Map<String, PortStatus> ports, String error) {
        directory.ofBridge(systemId, bridge)
            .ifPresent(owner -> owner.loop().bridge(owner.switchName(), ports, error));
    }

    @Override
    public synchronized void switchConnected(long datapathId) {
        datapaths.put(datapathId, new HashMap<>());
        ofDatapath(datapathId, FabricLoop::switchConnected);
    }

    @Override
    public synchronized void switchDisconnected(long datapathId) {
        datapaths.remove(datapathId);
        ofDatapath(datapathId, FabricLoop::switchDisconnected);
        leaving.forEach((gone, left) -> {
            left.remove(datapathId);
            if (left.isEmpty()) {
                gone.complete(null);
            }
        });
        leaving.keySet().removeIf(CompletableFuture::isDone);
    }

    @Override
    public synchronized void portChanged(long datapathId, int number, boolean up) {
        datapaths.computeIfPresent(datapathId, (id, ports) -> {
            ports.put(number, up);
            return ports;
        });
        ofDatapath(datapathId, (loop, name) -> loop.portChanged(name, number, up));
    }

    @Override
    public synchronized void peerSeen(long datapathId, int port, long peerDatapathId, int peerPort) {
        ofDatapath(datapathId,
            (loop, name) -> loop.peerSeen(name, port, directory.nameFor(loop, peerDatapathId), peerPort));
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
        FabricSpec spec = specs.get(fabric);
        if (spec == null) {
            throw unknown(fabric);
        }
        return spec;
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
            + (specs.isEmpty() ? "none is configured" : "configured: "
            + String.join(", ", new TreeSet<>(specs.keySet()))));
    }

    /** Ends all event loops and leaves the switches as they are. */
    @Override
    public synchronized void close() {
        loops.values().forEach(FabricLoop::close);
        loops.clear();
    }
}
