package org.daqfabric.impl.controller;

import com.google.common.collect.Lists;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.controller.links.LinkTracker;
import org.daqfabric.impl.controller.rollout.SwitchDriver;
import org.daqfabric.impl.controller.spi.RuleChannel;
import org.daqfabric.impl.controller.spi.Timer;
import org.daqfabric.impl.engine.loss.IdleLinks;
import org.daqfabric.impl.engine.proof.ProofFrame;
import org.daqfabric.impl.engine.topology.LinkDirection;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * Sends frames by idle links in small bursts, some switches after others: neither the queue of a port nor that of a
 * processor, through which the ports of a machine share a thousand packets (net.core.netdev_max_backlog), may fill.
 * Belongs to the fabric's event loop, but sends from the timer's threads.
 */
final class LinkFiller {
    /** Between the bursts of some switches and those of the next. */
    private static final Duration STEP = Duration.ofMillis(10);
    /** Parts of the switches, one after the other. */
    private static final int PARTS = 5;
    /** Of each switch: all are sent within 400 ms, so that rules have counted them half a second later. */
    private static final int BURSTS = 8;
    /** Ports out of which one message sends: it holds 64 KiB. */
    private static final int PORTS = 128;

    private final FabricModel model;
    private final SwitchDriver.Loop loop;
    private final Timer timer;
    private final LinkTracker links;
    private final RuleChannel rules;
    @GuardedBy("this")
    private final Map<PortId, Long> filled = new HashMap<>();
    /** A number of the newest frames that were asked for. */
    @GuardedBy("this")
    private long newest;

    LinkFiller(FabricModel model, SwitchDriver.Loop loop, Timer timer, LinkTracker links, RuleChannel rules) {
        this.model = model;
        this.loop = loop;
        this.timer = timer;
        this.links = links;
        this.rules = rules;
    }

    /** Frames of one size out of some ports of one switch. */
    private record Burst(long datapathId, List<LinkDirection> directions, int payload) {
    }

    /** The frames that each port has been told to send. */
    synchronized Map<PortId, Long> filled() {
        return Map.copyOf(filled);
    }

    /** Sends no more until {@link #fill}: counters are read. */
    synchronized void pause() {
        newest++;
    }

    /** Sends {@link IdleLinks#FRAMES} by each of these. */
    void fill(SortedSet<LinkDirection> idle) {
        SortedMap<String, List<LinkDirection>> bySwitch = new TreeMap<>();
        idle.forEach(each -> bySwitch.computeIfAbsent(each.out().switchName(), name -> new ArrayList<>()).add(each));
        List<List<Burst>> switches = bySwitch.entrySet().stream()
            .filter(each -> model.topology().roles().containsKey(each.getKey()))
            .map(each -> bursts(each.getKey(), each.getValue())).toList();
        if (!switches.isEmpty()) {
            synchronized (this) {
                after(newest, 0, switches);
            }
        }
    }

    private List<Burst> bursts(String switchName, List<LinkDirection> idle) {
        Topology topology = model.topology();
        int largest = topology.spec().policy().mtu().orElse(ProofFrame.USUAL_MTU);
        // small ones pass where larger ones are damaged: they do not prove that a link is whole
        return idle.stream().collect(Collectors.partitioningBy(each -> links.lossy().contains(each.link()))).entrySet()
            .stream().flatMap(some -> Lists.partition(some.getValue(), PORTS).stream().map(part ->
                new Burst(topology.datapathId(switchName), List.copyOf(part), some.getKey() ? largest : 0))).toList();
    }

    private void after(long number, int step, List<List<Burst>> switches) {
        timer.after(STEP, () -> step(number, step, switches));
    }

    /** Not an event of the loop: each would have the whole fabric evaluated. */
    private synchronized void step(long number, int step, List<List<Burst>> switches) {
        if (number == newest && loop.mayChange()) {
            for (int each = step % PARTS; each < switches.size(); each += PARTS) {
                switches.get(each).forEach(this::send);
            }
            if (step + 1 < PARTS * BURSTS) {
                after(number, step + 1, switches);
            }
        }
    }

    @GuardedBy("this")
    private void send(Burst burst) {
        rules.fill(burst.datapathId, burst.directions.stream().map(LinkDirection::outNumber).toList(),
            IdleLinks.FRAMES / BURSTS, burst.payload);
        burst.directions.forEach(each -> filled.merge(each.out(), (long) IdleLinks.FRAMES / BURSTS, Long::sum));
    }
}
