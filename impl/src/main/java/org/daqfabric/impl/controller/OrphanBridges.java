package org.daqfabric.impl.controller;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.daqfabric.api.state.MarkedBridge;
import org.daqfabric.impl.controller.spi.BridgeDriver;
import org.daqfabric.impl.controller.spi.StandbyException;
import org.daqfabric.impl.engine.check.InvalidInputException;
import org.eclipse.jdt.annotation.Nullable;

/**
 * The bridges of connected nodes that have our mark and that no configured fabric names, and removals that nobody
 * waits for any more. Thread-safe; every method may throw a {@link StandbyException}.
 */
public final class OrphanBridges {
    /** How long an answer waits for bridges to go. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final FabricServices services;
    private final BiFunction<String, String, Optional<String>> fabricOf;
    private final Supplier<String> standby;
    /** Null while this controller is not active. */
    private volatile @Nullable Active active;

    private record Active(BridgeDriver driver, Removals removals) {
    }

    /**
     * A choice of bridges.
     *
     * @param bridges each a system-id and the name of a bridge
     * @param nodes system-ids: all bridges of these nodes that are concerned
     */
    public record Choice(Collection<Map.Entry<String, String>> bridges, Collection<String> nodes) {
    }

    /**
     * Creates an object that is not active yet.
     *
     * @param fabricOf the configured fabric that names a bridge, by system-id and bridge
     * @param standby why this controller is not active
     */
    OrphanBridges(FabricServices services, BiFunction<String, String, Optional<String>> fabricOf,
            Supplier<String> standby) {
        this.services = services;
        this.fabricOf = fabricOf;
        this.standby = standby;
    }

    /** This controller becomes active: what is stored is read. */
    Removals begin(BridgeDriver driver) {
        Removals removals = new Removals(services, driver);
        active = new Active(driver, removals);
        removals.load();
        return removals;
    }

    /** This controller is not active any more, or stops. */
    void end() {
        ifActive(Removals::close);
        active = null;
    }

    void ifActive(Consumer<Removals> action) {
        Active now = active;
        if (now != null) {
            action.accept(now.removals);
        }
    }

    /** The removals of the active controller. */
    Removals removals() {
        return active().removals;
    }

    private Active active() {
        Active now = active;
        if (now == null) {
            throw new StandbyException(standby.get());
        }
        return now;
    }

    /** All orphans, and whether each is removed by itself. */
    public CompletionStage<SortedMap<MarkedBridge, Boolean>> find() {
        Active now = active();
        return now.driver.marks().thenApply(marks -> {
            Set<MarkedBridge> pending = now.removals.pending().keySet();
            SortedMap<MarkedBridge, Boolean> found = new TreeMap<>();
            marks.keySet().forEach(node -> orphans(node, marks).forEach(each ->
                found.put(each, pending.contains(each))));
            return found;
        });
    }

    /**
     * Removes orphans.
     *
     * @return each with whether it is gone; fails with an {@link InvalidInputException}, and removes nothing, if one is
     *     no orphan or its node is not connected
     */
    public CompletionStage<SortedMap<MarkedBridge, Boolean>> remove(Choice choice) {
        Active now = active();
        return now.driver.marks().thenCompose(marks -> {
            SortedSet<MarkedBridge> chosen = new TreeSet<>();
            for (String node : choice.nodes) {
                checkConnected(node, marks, "node");
                chosen.addAll(orphans(node, marks));
            }
            // they go by themselves, when nothing leads to them any more
            chosen.removeAll(now.removals.pending().keySet());
            for (Map.Entry<String, String> each : choice.bridges) {
                MarkedBridge orphan = orphan(each.getKey(), each.getValue(), marks);
                if (now.removals.pending().containsKey(orphan)) {
                    throw new InvalidInputException("bridge", "bridge " + each.getValue() + " of node " + each.getKey()
                        + " is being removed: fabric " + orphan.fabric() + " has left it");
                }
                chosen.add(orphan);
            }
            List<CompletableFuture<Void>> ends = new ArrayList<>();
            for (MarkedBridge each : chosen) {
                now.removals.remove(each, Optional.empty());
                ends.add(now.removals.ended(each).toCompletableFuture());
            }
            CompletableFuture<Void> done = CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new));
            CompletableFuture<Void> waited = new CompletableFuture<>();
            services.timer().after(PATIENCE, () -> waited.complete(null));
            return CompletableFuture.anyOf(done, waited).thenApply(any -> {
                Set<MarkedBridge> pending = now.removals.pending().keySet();
                SortedMap<MarkedBridge, Boolean> removed = new TreeMap<>();
                chosen.forEach(each -> removed.put(each, !pending.contains(each)));
                if (!now.removals.areStored(chosen)) {
                    throw new IllegalStateException("what is to be removed could not be stored, which is tried again:"
                        + " it is forgotten if the controller is restarted before");
                }
                return removed;
            });
        });
    }

    /**
     * Gives up pending removals; the nodes keep what they have.
     *
     * @return those given up, when that is stored
     * @throws InvalidInputException if one is not pending
     */
    public CompletionStage<SortedSet<MarkedBridge>> forget(Choice choice) {
        Removals removals = removals();
        SortedSet<MarkedBridge> chosen = new TreeSet<>();
        for (String node : choice.nodes) {
            if (!addPending(removals, chosen, node, Optional.empty())) {
                throw new InvalidInputException("node", "nothing is to be removed from node " + node);
            }
        }
        for (Map.Entry<String, String> each : choice.bridges) {
            if (!addPending(removals, chosen, each.getKey(), Optional.of(each.getValue()))) {
                throw new InvalidInputException("bridge", "bridge " + each.getValue() + " of node " + each.getKey()
                    + " is not to be removed");
            }
        }
        return removals.giveUp(chosen).thenApply(stored -> chosen);
    }

    private static boolean addPending(Removals removals, Set<MarkedBridge> chosen, String node,
            Optional<String> bridge) {
        List<MarkedBridge> found = removals.pending().keySet().stream().filter(each -> each.systemId().equals(node)
            && bridge.map(each.bridge()::equals).orElse(true)).toList();
        chosen.addAll(found);
        return !found.isEmpty();
    }

    private SortedSet<MarkedBridge> orphans(String node, SortedMap<String, SortedMap<String, String>> marks) {
        SortedSet<MarkedBridge> orphans = new TreeSet<>();
        marks.get(node).forEach((bridge, fabric) -> {
            if (fabricOf.apply(node, bridge).isEmpty()) {
                orphans.add(new MarkedBridge(node, bridge, fabric));
            }
        });
        return orphans;
    }

    private MarkedBridge orphan(String node, String bridge, SortedMap<String, SortedMap<String, String>> marks) {
        checkConnected(node, marks, "bridge");
        Optional<String> owner = fabricOf.apply(node, bridge);
        if (owner.isPresent()) {
            throw new InvalidInputException("bridge", "bridge " + bridge + " of node " + node + " belongs to fabric "
                + owner.get() + ": take its switch out of that fabric");
        }
        String fabric = marks.get(node).get(bridge);
        if (fabric == null) {
            throw new InvalidInputException("bridge", "node " + node + " has no bridge " + bridge
                + " that daqfabric made (external_ids:daqfabric)");
        }
        return new MarkedBridge(node, bridge, fabric);
    }

    private static void checkConnected(String node, SortedMap<String, SortedMap<String, String>> marks, String leaf) {
        if (!marks.containsKey(node)) {
            throw new InvalidInputException(leaf, "node " + node + " is not connected: its bridges are not known");
        }
    }
}
