package org.daqfabric.impl.controller;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.async.EventLoop;
import org.daqfabric.impl.controller.spi.RuleChannel;
import org.daqfabric.impl.engine.loss.PortCount;
import org.daqfabric.impl.engine.loss.Round;
import org.daqfabric.impl.engine.loss.SwitchLosses;
import org.daqfabric.impl.engine.topology.LinkDirection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the ports behind which packets are lost before the port counts them as sent. Rules and groups are read only of
 * switches that lose some, as they take long to read. Belongs to the fabric's event loop.
 */
final class LossesBehindPorts {
    private static final Logger LOG = LoggerFactory.getLogger(LossesBehindPorts.class);
    /** Switches that are read completely at a time. */
    private static final int MOST = 4;
    /** As if what a switch drops were sent out of a port: OpenFlow has none of this number. */
    private static final int NO_PORT = 0;

    private final FabricModel model;
    private final EventLoop loop;
    private final RuleChannel rules;
    private final Map<String, SwitchLosses> switches = new TreeMap<>();
    private final Set<String> asked = new HashSet<>();
    /** When each switch was last read, as a number of readings: none waits for ever. */
    private final Map<String, Long> readAt = new HashMap<>();
    private long reads;

    LossesBehindPorts(FabricModel model, EventLoop loop, RuleChannel rules) {
        this.model = model;
        this.loop = loop;
        this.rules = rules;
    }

    /**
     * After another round of readings.
     *
     * @param filled how many frames each port has sent that the other end drops
     */
    void counted(Round round, Collection<LinkDirection> directions, Map<PortId, Long> filled) {
        Map<String, Long> toDrop = new HashMap<>();
        Map<String, Map<Integer, Long>> sent = new HashMap<>();
        directions.forEach(each -> {
            long frames = filled.getOrDefault(each.out(), 0L);
            toDrop.merge(each.in().switchName(), frames, Long::sum);
            sent.computeIfAbsent(each.out().switchName(), name -> new HashMap<>()).put(each.outNumber(), frames);
        });
        Map<String, Map<Integer, PortCount>> counted = new TreeMap<>(round.between());
        counted.putAll(round.last());
        switches.keySet().retainAll(model.topology().roles().keySet());
        counted.forEach((name, ports) -> {
            Map<Integer, PortCount> all = new TreeMap<>(ports);
            all.put(NO_PORT, new PortCount(0, toDrop.getOrDefault(name, 0L), 0));
            SwitchLosses now = switches.getOrDefault(name, SwitchLosses.UNKNOWN).after(all);
            switches.put(name, now);
        });
        readAt.keySet().retainAll(switches.keySet());
        counted.keySet().stream().filter(name -> switches.get(name).isSuspected() && !asked.contains(name))
            .sorted(Comparator.comparing(name -> readAt.getOrDefault(name, 0L))).limit(MOST - asked.size()).toList()
            .forEach(name -> {
                asked.add(name);
                readAt.put(name, ++reads);
                read(name, sent.getOrDefault(name, Map.of()));
            });
    }

    private void read(String name, Map<Integer, Long> sent) {
        loop.then(rules.account(model.topology().datapathId(name)), (reading, failure) -> {
            asked.remove(name);
            if (reading != null) {
                LOG.debug("fabric {}: {} has counted {}", model.name(), name, reading);
                switches.computeIfPresent(name, (same, before) -> before.after(reading.and(sent), sent.keySet()));
            }
        });
    }

    /** The part of packets that is lost behind ports of links. */
    Map<PortId, Double> rates(Collection<LinkDirection> directions) {
        Map<PortId, Double> rates = new HashMap<>();
        directions.forEach(each -> switches.getOrDefault(each.out().switchName(), SwitchLosses.UNKNOWN).finding()
            .filter(finding -> finding.port() == each.outNumber())
            .ifPresent(finding -> rates.put(each.out(), finding.rate())));
        return rates;
    }
}
