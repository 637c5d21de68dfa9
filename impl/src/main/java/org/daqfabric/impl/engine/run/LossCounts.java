package org.daqfabric.impl.engine.run;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.run.RunLosses;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FabricState.LinkState;
import org.daqfabric.api.state.FabricState.Loss;
import org.daqfabric.api.state.FabricState.RingState;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * What the links and daqrings of a fabric have lost at one moment, in packets, as far as it is known.
 *
 * @param links since the controller started, by the port that had sent them
 * @param daqrings since each was created, by switch and DCM
 */
public record LossCounts(Map<PortId, Long> links, Map<Daqring, Long> daqrings) {
    public static final LossCounts UNKNOWN = new LossCounts(Map.of(), Map.of());

    /** The daqring of a DCM in a switch. */
    record Daqring(String switchName, String dcm) {
    }

    /** The same some time later; of what is not known at present the last number stands. */
    public LossCounts at(Topology topology, FabricState state) {
        Map<PortId, PortId> peers = new HashMap<>();
        topology.spec().links().forEach(link -> peers.put(link.end(), link.peer()));
        Map<PortId, Long> newLinks = new HashMap<>(links);
        for (LinkState each : state.links()) {
            put(newLinks, each.end(), each.toPeer().loss());
            put(newLinks, peers.getOrDefault(each.end(), each.end()), each.fromPeer().loss());
        }
        newLinks.keySet().removeIf(port -> !peers.containsKey(port) && !peers.containsValue(port));
        Map<Daqring, Long> newDaqrings = new HashMap<>();
        for (RingState each : state.daqrings()) {
            newDaqrings.put(new Daqring(each.switchName(), each.dcm()), each.dropped());
        }
        return new LossCounts(newLinks, newDaqrings);
    }

    private static void put(Map<PortId, Long> links, PortId port, Optional<Loss> loss) {
        // what is sure to be lost may become less for a moment, where counters are told late
        loss.ifPresent(known -> links.merge(port, known.lost(), Math::max));
    }

    /**
     * What was lost since an earlier moment. Links are counted since the controller started, so that the first number
     * of one is all that it lost; daqrings since they were made, which may be long before the first number is known.
     *
     * @param dcms whose daqrings count
     */
    public RunLosses since(LossCounts before, Set<String> dcms) {
        SortedMap<PortId, Long> lost = new TreeMap<>();
        links.forEach((port, packets) -> {
            long more = packets - before.links.getOrDefault(port, 0L);
            if (more > 0) {
                lost.put(port, more);
            }
        });
        long dropped = daqrings.entrySet().stream().filter(each -> dcms.contains(each.getKey().dcm()))
            .mapToLong(each -> growth(before.daqrings.getOrDefault(each.getKey(), each.getValue()), each.getValue()))
            .sum();
        return new RunLosses(lost, dropped);
    }

    /** All that a counter has counted, if it began again. */
    private static long growth(long before, long now) {
        return now < before ? now : now - before;
    }
}
