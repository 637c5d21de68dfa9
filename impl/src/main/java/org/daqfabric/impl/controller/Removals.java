package org.daqfabric.impl.controller;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.api.spec.Switch.OvsdbAddress;
import org.daqfabric.api.state.MarkedBridge;
import org.daqfabric.api.state.PendingRemoval;
import org.daqfabric.impl.async.Causes;
import org.daqfabric.impl.controller.spi.BridgeDriver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The bridges that fabrics have left. A removal is stored as soon as a configuration says so, released when no switch
 * of its fabric needs the bridge any more, and only then passed to the driver; it ends when the driver reports that the
 * node does not have the bridge. So a controller that is restarted or becomes active finishes what another began.
 *
 * <p>Shared by all fabrics while this controller is active. A lock guards it; nothing in it blocks.
 */
final class Removals {
    private static final Logger LOG = LoggerFactory.getLogger(Removals.class);
    private static final Duration RETRY = Duration.ofSeconds(1);
    /** How long a fabric waits for a bridge until the one that has left it needs it no more. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final FabricServices services;
    private final BridgeDriver driver;
    private final CompletableFuture<Void> known = new CompletableFuture<>();
    /** The bridges of each configured fabric. */
    @GuardedBy("this")
    private final Map<String, Map<MarkedBridge, Optional<OvsdbAddress>>> configured = new HashMap<>();
    /** The fabric that was configured last to have a bridge, by node and bridge. */
    @GuardedBy("this")
    private final Map<List<String>, String> owners = new HashMap<>();
    @GuardedBy("this")
    private final SortedMap<MarkedBridge, PendingRemoval> pending = new TreeMap<>();
    /** Those of the pending ones that no switch of their fabric needs any more. */
    @GuardedBy("this")
    private final Set<MarkedBridge> released = new HashSet<>();
    /** Those of the released ones that the driver works on. */
    @GuardedBy("this")
    private final Set<MarkedBridge> passed = new HashSet<>();
    /** What a fabric needs of a bridge that another one has left and still needs, by node and bridge. */
    @GuardedBy("this")
    private final Map<List<String>, Runnable> waiting = new HashMap<>();
    /** Completed when a removal ends. */
    @GuardedBy("this")
    private final Map<MarkedBridge, CompletableFuture<Void>> ends = new HashMap<>();
    /** What the store has, as far as it has answered. */
    @GuardedBy("this")
    private final SortedMap<MarkedBridge, PendingRemoval> stored = new TreeMap<>();
    /** Those that the store may have or not, because a write of them has not succeeded. */
    @GuardedBy("this")
    private final Set<MarkedBridge> uncertain = new TreeSet<>();
    /** What is to be given up once that is stored. */
    @GuardedBy("this")
    private final List<GivenUp> givenUp = new ArrayList<>();
    @GuardedBy("this")
    private List<PendingRemoval> published = List.of();
    @GuardedBy("this")
    private boolean writing;
    @GuardedBy("this")
    private boolean configurationRead;
    @GuardedBy("this")
    private boolean storeRead;
    @GuardedBy("this")
    private boolean takenUp;
    @GuardedBy("this")
    private boolean closed;

    /** Has read nothing yet. */
    Removals(FabricServices services, BridgeDriver driver) {
        this.services = services;
        this.driver = driver;
    }

    /** Reads what is stored; nothing is removed before that has succeeded. */
    void load() {
        services.removals().load().whenComplete((all, failure) -> {
            if (failure == null) {
                storeRead(all);
            } else {
                LOG.error("The bridges that are still to be removed cannot be read, no fabric is changed until they"
                    + " can; trying again: {}", Causes.inWords(failure));
                services.timer().after(RETRY, this::load);
            }
        });
    }

    /** Completes when what is stored has been read, and all that is configured. */
    CompletionStage<Void> known() {
        return known;
    }

    private synchronized void storeRead(List<PendingRemoval> all) {
        storeRead = true;
        for (PendingRemoval each : all) {
            stored.put(each.bridge(), each);
            pending.putIfAbsent(each.bridge(), each);
        }
        takeUp();
    }

    /** The configuration is known: {@link #configured} was called for every stored fabric. */
    synchronized void configurationRead() {
        configurationRead = true;
        takeUp();
    }

    /** Decides about removals that were stored before this controller became active. */
    private synchronized void takeUp() {
        if (!storeRead || !configurationRead || takenUp) {
            return;
        }
        takenUp = true;
        for (MarkedBridge each : stored.keySet()) {
            if (configured.getOrDefault(each.fabric(), Map.of()).containsKey(each)) {
                forget(each);
            } else if (!configured.containsKey(each.fabric())) {
                release(each);
            }
        }
        // what the active member before this one has published is replaced
        services.publisher().pending(List.copyOf(pending.values()));
        advance();
        known.complete(null);
    }

    /** A fabric has this configuration from now on. */
    synchronized void configured(FabricSpec spec) {
        Map<MarkedBridge, Optional<OvsdbAddress>> now = new HashMap<>();
        for (Switch each : spec.switches()) {
            now.put(MarkedBridge.of(spec.name(), each), each.ovsdbAddress());
        }
        Map<MarkedBridge, Optional<OvsdbAddress>> before = configured.put(spec.name(), now);
        leave(before, now.keySet());
        now.keySet().stream().filter(bridge -> before == null || !before.containsKey(bridge))
            .forEach(bridge -> owners.put(node(bridge), spec.name()));
        now.keySet().forEach(bridge -> {
            if (!released.contains(bridge)) {
                forget(bridge);
            }
        });
        advance();
    }

    /** A fabric is not configured any more; its loop calls {@link #releaseAll} when it has ended. */
    synchronized void unconfigured(String fabric) {
        leave(configured.remove(fabric), Set.of());
        advance();
    }

    private synchronized void leave(Map<MarkedBridge, Optional<OvsdbAddress>> before, Set<MarkedBridge> now) {
        if (before != null) {
            before.forEach((bridge, address) -> {
                if (!now.contains(bridge)) {
                    note(bridge, address);
                    if (owners.remove(node(bridge), bridge.fabric())) {
                        waiting.remove(node(bridge));
                    }
                }
            });
        }
    }

    private synchronized void note(MarkedBridge bridge, Optional<OvsdbAddress> address) {
        pending.computeIfAbsent(bridge, key -> new PendingRemoval(key, address, services.clocks().wall().instant()));
    }

    /**
     * A switch of a fabric needs a bridge: passes it to the driver; a removal of it ends. A fabric on the way to its
     * newest configuration may still have a bridge that another one is configured to have by now: that one has it.
     */
    synchronized void put(String systemId, Optional<OvsdbAddress> address, Bridge bridge) {
        MarkedBridge own = new MarkedBridge(systemId, bridge.name(), bridge.fabric());
        if (isOthers(own)) {
            return;
        }
        forget(own);
        List<String> node = node(own);
        Runnable put = () -> driver.put(systemId, address, bridge);
        if (isNeededElsewhere(own)) {
            waiting.put(node, put);
            services.timer().after(PATIENCE, () -> endWaiting(node, put));
        } else {
            waiting.remove(node);
            put.run();
        }
        advance();
    }

    /** Whether another fabric has left a bridge and its packets may still come there. */
    private synchronized boolean isNeededElsewhere(MarkedBridge bridge) {
        return !closed && pending.keySet().stream().anyMatch(each -> node(each).equals(node(bridge))
            && !each.fabric().equals(bridge.fabric()) && !released.contains(each));
    }

    private synchronized void endWaiting(List<String> node, Runnable put) {
        if (!closed && waiting.remove(node, put)) {
            LOG.warn("Bridge {} of node {} is taken over although the fabric that has left it may still need it",
                node.get(1), node.get(0));
            put.run();
        }
    }

    /** No switch of the bridge's fabric needs it any more: another fabric may have it. */
    private synchronized void release(MarkedBridge bridge) {
        released.add(bridge);
        Runnable put = isOthers(bridge) ? waiting.remove(node(bridge)) : null;
        if (put != null) {
            put.run();
        }
    }

    private synchronized boolean isOthers(MarkedBridge bridge) {
        return !owners.getOrDefault(node(bridge), bridge.fabric()).equals(bridge.fabric());
    }

    private static List<String> node(MarkedBridge bridge) {
        return List.of(bridge.systemId(), bridge.bridge());
    }

    /** A bridge left its fabric while no controller saw it; {@link #releaseAll} lets it be removed. */
    synchronized void left(MarkedBridge bridge) {
        note(bridge, Optional.empty());
        advance();
    }

    /** No switch of the bridge's fabric needs it any more: it is removed from its node. */
    synchronized void remove(MarkedBridge bridge, Optional<OvsdbAddress> address) {
        note(bridge, address);
        release(bridge);
        advance();
    }

    /** Removes what a fabric has left, except bridges that its switches still need. */
    synchronized void releaseAll(String fabric, Set<MarkedBridge> needed) {
        for (MarkedBridge each : List.copyOf(pending.keySet())) {
            if (each.fabric().equals(fabric) && !needed.contains(each)) {
                release(each);
            }
        }
        advance();
    }

    /** The driver has found that a node does not have the bridge. */
    synchronized void gone(MarkedBridge bridge) {
        if (passed.contains(bridge)) {
            forget(bridge);
            advance();
        }
    }

    /** Completes when the bridge is not pending any more. */
    synchronized CompletionStage<Void> ended(MarkedBridge bridge) {
        return pending.containsKey(bridge) ? ends.computeIfAbsent(bridge, key -> new CompletableFuture<>())
            : CompletableFuture.completedFuture(null);
    }

    /** Whether a restarted controller would go on with those of the bridges that are pending. */
    synchronized boolean areStored(Set<MarkedBridge> bridges) {
        return bridges.stream().filter(pending::containsKey)
            .allMatch(each -> stored.containsKey(each) && !uncertain.contains(each));
    }

    synchronized SortedMap<MarkedBridge, PendingRemoval> pending() {
        return new TreeMap<>(pending);
    }

    /**
     * Gives up removals; the nodes keep the bridges.
     *
     * @return completes when that is stored; if it fails, they are still pending
     */
    synchronized CompletionStage<Void> giveUp(Set<MarkedBridge> bridges) {
        GivenUp request = new GivenUp(Set.copyOf(bridges), new CompletableFuture<>());
        givenUp.add(request);
        advance();
        return request.stored();
    }

    private synchronized void forgetAll(Set<MarkedBridge> bridges) {
        for (MarkedBridge bridge : bridges) {
            if (passed.contains(bridge) && !closed) {
                driver.endRemoval(bridge);
            }
            forget(bridge);
        }
    }

    private synchronized void forget(MarkedBridge bridge) {
        pending.remove(bridge);
        released.remove(bridge);
        passed.remove(bridge);
        CompletableFuture<Void> end = ends.remove(bridge);
        if (end != null) {
            end.complete(null);
        }
    }

    /** Passes to the driver what may be removed and is stored, publishes what is pending, and stores the difference. */
    private synchronized void advance() {
        if (closed || !takenUp) {
            return;
        }
        for (MarkedBridge each : List.copyOf(released)) {
            if (stored.containsKey(each) && !uncertain.contains(each) && passed.add(each)) {
                pass(pending.get(each));
            }
        }
        List<PendingRemoval> now = List.copyOf(pending.values());
        if (!now.equals(published)) {
            published = now;
            services.publisher().pending(now);
        }
        store();
    }

    @SuppressWarnings("checkstyle:illegalCatch") // whatever is thrown, a removal must not be forgotten
    private synchronized void pass(PendingRemoval removal) {
        try {
            driver.remove(removal.bridge(), removal.address());
        } catch (Throwable e) {
            LOG.error("The removal of {} could not be begun, trying again", removal.bridge(), e);
            passed.remove(removal.bridge());
            services.timer().after(RETRY, this::advance);
        }
    }

    private synchronized void store() {
        if (writing) {
            return;
        }
        final List<GivenUp> asked = List.copyOf(givenUp);
        givenUp.clear();
        SortedMap<MarkedBridge, PendingRemoval> kept = new TreeMap<>(pending);
        asked.forEach(request -> kept.keySet().removeAll(request.bridges()));
        List<PendingRemoval> put = kept.values().stream()
            .filter(each -> !each.equals(stored.get(each.bridge())) || uncertain.contains(each.bridge())).toList();
        Set<MarkedBridge> delete = new TreeSet<>(stored.keySet());
        delete.addAll(uncertain);
        delete.removeAll(kept.keySet());
        if (put.isEmpty() && delete.isEmpty() && asked.isEmpty()) {
            return;
        }
        writing = true;
        put.forEach(each -> uncertain.add(each.bridge()));
        uncertain.addAll(delete);
        services.removals().change(put, delete).whenComplete((done, failure) -> {
            stored(put, delete, asked, failure);
            asked.forEach(request -> request.answer(failure));
        });
    }

    private synchronized void stored(List<PendingRemoval> put, Set<MarkedBridge> deleted, List<GivenUp> asked,
            Throwable failure) {
        if (failure != null) {
            LOG.warn("The bridges that are still to be removed could not be stored, trying again: {}",
                Causes.inWords(failure));
            services.timer().after(RETRY, this::storeAgain);
            return;
        }
        put.forEach(each -> {
            stored.put(each.bridge(), each);
            uncertain.remove(each.bridge());
        });
        stored.keySet().removeAll(deleted);
        uncertain.removeAll(deleted);
        asked.forEach(request -> forgetAll(request.bridges()));
        writing = false;
        advance();
    }

    private synchronized void storeAgain() {
        writing = false;
        advance();
    }

    /** Ends; the store keeps what is pending, for whoever is active next. */
    synchronized void close() {
        closed = true;
        givenUp.forEach(GivenUp::end);
        givenUp.clear();
    }
}
