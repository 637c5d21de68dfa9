package org.daqfabric.impl.controller;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.state.FabricState.Loss;
import org.daqfabric.impl.async.CacheKey;
import org.daqfabric.impl.async.EventLoop;
import org.daqfabric.impl.controller.links.LinkTracker;
import org.daqfabric.impl.engine.capacity.Loads;
import org.daqfabric.impl.engine.loss.LinkRates;
import org.daqfabric.impl.engine.loss.LossyLinks;
import org.daqfabric.impl.engine.place.Placer;
import org.daqfabric.impl.engine.place.Scope;
import org.daqfabric.impl.engine.topology.Topology;
import org.eclipse.jdt.annotation.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has links held back that lose packets, while the runs get their bandwidth without them. Belongs to the fabric's event
 * loop; what takes long is computed beside it.
 */
final class LossyLinksWatch {
    private static final Logger LOG = LoggerFactory.getLogger(LossyLinksWatch.class);
    private static final double EPSILON = 1e-9;
    /** The least that is told of a link. */
    private static final LinkRates UNKNOWN = new LinkRates(1, 1);

    private final FabricModel model;
    private final EventLoop loop;
    private final LinkTracker links;
    private final RunGate runs;
    private final Executor background;
    /** What each of the links that are held back has lost in each direction. */
    private SortedMap<PortId, LinkRates> held = Collections.emptySortedMap();
    /** The same of those that a controller before held back, until the next round. */
    private SortedMap<PortId, LinkRates> restored = Collections.emptySortedMap();
    /** Whether readings have been looked at. */
    private boolean evaluated;
    private @Nullable CacheKey decided;
    private boolean deciding;

    LossyLinksWatch(FabricModel model, EventLoop loop, LinkTracker links, RunGate runs, Executor background) {
        this.model = model;
        this.loop = loop;
        this.links = links;
        this.runs = runs;
        this.background = background;
    }

    /** A controller before held these back; what was seen since counts more. */
    void restore(SortedMap<PortId, LinkRates> lossy) {
        if (evaluated) {
            return;
        }
        restored = lossy;
        held = lossy;
        links.lossy(lossy.keySet(), Set.of());
        if (!lossy.isEmpty()) {
            LOG.warn("fabric {}: lost packets before, and are not used until they are proven: {}", model.name(),
                lossy.keySet());
        }
    }

    /** What is held back, to be stored. */
    SortedMap<PortId, LinkRates> held() {
        return held;
    }

    /** The ports that lost packets when a controller before looked, once, with packets of a million. */
    Map<PortId, Integer> restored(Topology topology) {
        Map<PortId, Integer> suspected = new HashMap<>();
        topology.spec().links().stream().filter(link -> restored.containsKey(link.end())).forEach(link -> {
            suspected.put(link.end(), restored.get(link.end()).toPeer());
            suspected.put(link.peer(), restored.get(link.end()).fromPeer());
        });
        suspected.values().removeIf(rate -> rate == 0);
        restored = Collections.emptySortedMap();
        return suspected;
    }

    /**
     * After another round of readings.
     *
     * @param told what links lose, by the port that sends; without those of which nothing is known
     */
    void update(Map<PortId, Loss> told) {
        if (model.isAwaitingFirstReports()) {
            return;
        }
        evaluated = true;
        Set<PortId> before = links.lossy();
        Set<PortId> others = new HashSet<>(model.unusable().down());
        others.removeIf(link -> before.contains(link) && links.heldBack().contains(link));
        List<Link> all = model.topology().spec().links().stream()
            .filter(link -> !model.topology().drained(link) && !others.contains(link.end())).toList();
        SortedMap<PortId, LinkRates> rates = new TreeMap<>();
        all.forEach(link -> {
            LinkRates now = new LinkRates(rate(told, link.end()), rate(told, link.peer()));
            if (now.most() > 0) {
                rates.put(link.end(), now);
            } else if (!told.containsKey(link.end()) && !told.containsKey(link.peer())
                    && before.contains(link.end()) && links.heldBack().contains(link.end())) {
                // what is not known any more stays as it is, but for a link that was down: it is another one
                rates.put(link.end(), held.getOrDefault(link.end(), UNKNOWN));
            }
        });
        Map<PortId, Integer> most = new HashMap<>();
        rates.forEach((link, rate) -> most.put(link, rate.most()));
        CacheKey key = CacheKey.of(model.topology(), model.unusable(), runs.directive(),
            Set.copyOf(rates.entrySet()), before);
        if (deciding || key.isSame(decided) || rates.isEmpty() && before.isEmpty()) {
            return;
        }
        deciding = true;
        Predicate<Set<PortId>> suffices = suffices(others);
        loop.then(CompletableFuture.supplyAsync(() -> LossyLinks.heldBack(all, most, before, suffices), background),
            (now, failure) -> {
                deciding = false;
                decided = key;
                if (now != null) {
                    held = new TreeMap<>(rates);
                    held.keySet().retainAll(now);
                    if (!now.equals(before)) {
                        decided(now, before.stream().filter(link -> !rates.containsKey(link)).toList());
                    }
                }
            });
    }

    private static int rate(Map<PortId, Loss> told, PortId from) {
        return told.containsKey(from) ? told.get(from).rate() : 0;
    }

    /**
     * These are not used from now on.
     *
     * @param gone links that lose no packets any more, or are down; what loses some and is needed is used at once
     */
    private void decided(SortedSet<PortId> now, List<PortId> gone) {
        Set<PortId> over = new TreeSet<>(links.lossy());
        over.removeAll(now);
        Set<PortId> more = new TreeSet<>(now);
        more.removeAll(links.lossy());
        if (!more.isEmpty()) {
            LOG.warn("fabric {}: lose packets, and are not used where others suffice: {}", model.name(), more);
        }
        if (!over.isEmpty()) {
            LOG.info("fabric {}: are not held back for losses any more: {}", model.name(), over);
        }
        Set<PortId> up = links.heldBack();
        links.lossy(now, gone.stream().filter(up::contains).collect(Collectors.toSet()));
    }

    private Predicate<Set<PortId>> suffices(Set<PortId> others) {
        double required = runs.directive().required() * (1 - EPSILON);
        Topology weighted = runs.weighted(model.topology());
        Placement placement = model.decision().placement();
        return without -> {
            Set<PortId> unusable = new HashSet<>(others);
            unusable.addAll(without);
            UnusableLinks down = new UnusableLinks(unusable);
            return required <= 0 || Loads.of(weighted, down,
                Placer.place(weighted, down, placement, Scope.REPAIR)).bandwidth() >= required;
        };
    }
}
