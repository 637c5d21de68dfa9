package org.daqfabric.impl.controller;

import com.google.common.collect.Lists;
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
import org.daqfabric.impl.engine.loss.IdleLinks;
import org.daqfabric.impl.engine.proof.ProofFrame;
import org.daqfabric.impl.engine.topology.LinkDirection;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * Sends frames by idle links in small bursts, some switches after others: neither the queue of a port nor that of a
 * processor, through which the ports of a machine share a thousand packets (net.core.netdev_max_backlog), may fill.
 * Belongs to the fabric's event loop.
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
    private final LinkTracker links;
    private final RuleChannel rules;
    private final Map<PortId, Long> filled = new HashMap<>();
    /** A number of the newest frames that were asked for. */
    private long newest;

    LinkFiller(FabricModel model, SwitchDriver.Loop loop, LinkTracker links, RuleChannel rules) {
        this.model = model;
        this.loop = loop;
        this.links = links;
        this.rules = rules;
    }

    /** The frames that each port has been told to send. */
    Map<PortId, Long> filled() {
        return Map.copyOf(filled);
    }

    /** Sends no more until {@link #fill}: counters are read. */
    void pause() {
        newest++;
    }

    /** Sends {@link IdleLinks#FRAMES} by each of these. */
    void fill(SortedSet<LinkDirection> idle) {
        if (!idle.isEmpty()) {
            SortedMap<String, List<LinkDirection>> bySwitch = new TreeMap<>();
            idle.forEach(each -> bySwitch.computeIfAbsent(each.out().switchName(), name -> new ArrayList<>())
                .add(each));
            after(newest, 0, List.copyOf(bySwitch.values()));
        }
    }

    private void after(long number, int step, List<List<LinkDirection>> switches) {
        loop.after(STEP, () -> {
            if (number == newest && model.hasTopology() && loop.mayChange()) {
                for (int each = step % PARTS; each < switches.size(); each += PARTS) {
                    burst(switches.get(each));
                }
                if (step + 1 < PARTS * BURSTS) {
                    after(number, step + 1, switches);
                }
            }
        });
    }

    /** Out of ports of one switch. */
    private void burst(List<LinkDirection> directions) {
        Topology topology = model.topology();
        String name = directions.get(0).out().switchName();
        if (!topology.roles().containsKey(name)) {
            return;
        }
        int largest = topology.spec().policy().mtu().orElse(ProofFrame.USUAL_MTU);
        // small ones pass where larger ones are damaged: they do not prove that a link is whole
        directions.stream().collect(Collectors.partitioningBy(each -> links.lossy().contains(each.link())))
            .forEach((isLossy, some) -> Lists.partition(some, PORTS).forEach(part ->
                rules.fill(topology.datapathId(name), part.stream().map(LinkDirection::outNumber).toList(),
                    IdleLinks.FRAMES / BURSTS, isLossy ? largest : 0)));
        directions.forEach(each -> filled.merge(each.out(), (long) IdleLinks.FRAMES / BURSTS, Long::sum));
    }
}
