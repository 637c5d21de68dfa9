package org.daqfabric.impl.controller;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.state.FabricState.Loss;
import org.daqfabric.impl.controller.links.LinkTracker;
import org.daqfabric.impl.controller.links.SwitchView;
import org.daqfabric.impl.controller.rollout.SwitchDriver;
import org.daqfabric.impl.controller.spi.RuleChannel;
import org.daqfabric.impl.controller.spi.Timer;
import org.daqfabric.impl.engine.compile.PortAllocator;
import org.daqfabric.impl.engine.loss.IdleLinks;
import org.daqfabric.impl.engine.loss.LinkLosses;
import org.daqfabric.impl.engine.loss.PortCount;
import org.daqfabric.impl.engine.loss.Round;
import org.daqfabric.impl.engine.topology.LinkDirection;
import org.daqfabric.impl.engine.topology.Role;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * Finds links that lose packets, by the counters of the ports at both ends, which Open vSwitch tells over OpenFlow as
 * they are at that moment (those in OVSDB are up to five seconds old), and ports that are not among them. Belongs to
 * the fabric's event loop.
 */
final class LossWatch {
    /** Not in step with proofs: one between the readings of both ends each time would hide a packet that is lost. */
    private static final Duration INTERVAL = Duration.ofMillis(1030);
    /** For how many rounds a switch is not asked that did not answer. */
    private static final int PAUSE = 10;
    private final FabricModel model;
    private final SwitchDriver.Loop loop;
    private final LinkTracker links;
    private final RuleChannel rules;
    private LinkLosses losses = LinkLosses.UNKNOWN;
    private SortedMap<PortId, Loss> told = new TreeMap<>();
    /** Switches that did not answer, with the rounds in which they are not asked. */
    private final Map<String, Integer> pausing = new HashMap<>();
    private final ProofWatch proofs;
    private final LinkFiller filler;
    private IdleLinks idle = IdleLinks.UNKNOWN;
    private UnlistedPorts unlisted = UnlistedPorts.NONE;
    private final LossesBehindPorts behind;
    private final LossyLinksWatch lossy;
    private boolean asking;
    /** Whether no switch answered in the last round. */
    private boolean silent;

    LossWatch(FabricModel model, SwitchDriver.Loop loop, Timer timer, LinkTracker links, RuleChannel rules,
            LossyLinksWatch lossy, ProofWatch proofs) {
        this.model = model;
        this.loop = loop;
        this.links = links;
        this.rules = rules;
        behind = new LossesBehindPorts(model, loop, rules);
        this.lossy = lossy;
        this.proofs = proofs;
        filler = new LinkFiller(model, loop, timer, links, rules);
    }

    void begin() {
        loop.after(INTERVAL, this::next);
    }

    /** What links lose, by the port that sends; without those of which nothing is known. */
    SortedMap<PortId, Loss> told() {
        return told;
    }

    /** The ports of links and hosts that have left the datapath of their switch. */
    SortedSet<PortId> unlisted() {
        return unlisted.ports();
    }

    /** The next time is set first, so that it comes whatever happens in this one. */
    private void next() {
        loop.after(silent ? INTERVAL.multipliedBy(PAUSE) : INTERVAL, this::next);
        if (asking || !model.hasTopology()) {
            return;
        }
        asking = true;
        filler.pause();
        Topology topology = model.topology();
        pausing.replaceAll((name, rounds) -> rounds - 1);
        pausing.values().removeIf(rounds -> silent || rounds <= 0);
        Map<String, Long> leaves = new TreeMap<>();
        Map<String, Long> others = new TreeMap<>();
        topology.roles().forEach((name, role) -> {
            if (model.switches().getOrDefault(name, SwitchView.UNKNOWN).openflow() && !pausing.containsKey(name)) {
                // one end of every link is a leaf's
                (role instanceof Role.OfLeaf ? leaves : others).put(name, topology.datapathId(name));
            }
        });
        CompletionStage<Round> round = ask(leaves).thenCompose(first -> ask(others).thenCompose(between ->
            ask(leaves).thenApply(last -> new Round(first, between, last))));
        loop.then(round, (read, failure) -> {
            asking = false;
            if (read != null) {
                answered(read, leaves.keySet(), others.keySet());
            }
        });
    }

    /** What all of these switches have counted that answer. */
    private CompletableFuture<Map<String, Map<Integer, PortCount>>> ask(Map<String, Long> switches) {
        Map<String, Map<Integer, PortCount>> counted = new ConcurrentHashMap<>();
        List<CompletableFuture<Void>> answers = switches.entrySet().stream().map(each ->
            rules.count(each.getValue()).thenAccept(ports -> counted.put(each.getKey(), ports))
                .exceptionally(failure -> null).toCompletableFuture()).toList();
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)).thenApply(all -> counted);
    }

    private void answered(Round round, Set<String> leaves, Set<String> others) {
        if (!model.hasTopology()) {
            return;
        }
        silent = round.last().isEmpty() && round.between().isEmpty();
        leaves.stream().filter(name -> !round.last().containsKey(name)).forEach(name -> pausing.put(name, PAUSE));
        others.stream().filter(name -> !round.between().containsKey(name)).forEach(name -> pausing.put(name, PAUSE));
        listed(round);
        Set<PortId> interrupted = new HashSet<>();
        List<LinkDirection> directions = links.links(model.topology(), model.numbers()).stream().flatMap(link -> {
            PortId end = link.link().end();
            if (model.topology().drained(link.link())
                    || model.unusable().down().contains(end) && !links.heldBack().contains(end)) {
                interrupted.add(end);
                interrupted.add(link.link().peer());
            }
            return LinkDirection.of(link.link(), link.number(), link.peerNumber()).stream();
        }).toList();
        losses = losses.suspecting(lossy.restored(model.topology())).after(directions, interrupted, round);
        behind.counted(round, directions.stream().filter(each -> !interrupted.contains(each.out())).toList(),
            filler.filled());
        idle = idle.after(directions, interrupted, proofs.slow(), round, filler.filled());
        filler.fill(idle.idle());
        Map<PortId, Double> behindPorts = behind.rates(directions);
        told = losses.told(behindPorts);
        // without daqrings, queues behind ports are full when many send at once, which is no fault of the link
        behindPorts.keySet().removeIf(port -> !model.isRingCapable(port.switchName())
            || !PortAllocator.hasRings(model.numbers(), port.switchName()));
        lossy.update(losses.told(behindPorts));
    }

    private void listed(Round round) {
        Map<String, Set<Integer>> numbers = new HashMap<>();
        List.of(round.between(), round.last()).forEach(answers ->
            answers.forEach((name, ports) -> numbers.put(name, ports.keySet())));
        unlisted = unlisted.after(model.topology(), model.switches(), numbers);
        unlisted.ports().forEach(port -> model.numbers().of(port).ifPresent(number -> {
            // one that was not there when the switch connected has never been reported to be down
            if (!model.switches().get(port.switchName()).live().containsKey(number)) {
                model.update(port.switchName(), view -> view.port(number, false, Set.of()));
            }
        }));
    }
}
