package org.daqfabric.impl.engine.loss;

import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.state.FabricState.Loss;
import org.daqfabric.impl.engine.topology.LinkDirection;

/**
 * What all links of a fabric lose.
 *
 * @param histories by the port that sends
 */
public record LinkLosses(SortedMap<PortId, LossHistory> histories) {
    public static final LinkLosses UNKNOWN = new LinkLosses(Collections.emptySortedMap());

    /**
     * These lost packets when a controller before looked, by the port that sends: packets of a million.
     *
     * @param rates positive ones
     */
    public LinkLosses suspecting(Map<PortId, Integer> rates) {
        SortedMap<PortId, LossHistory> next = new TreeMap<>(histories);
        rates.forEach((port, rate) -> next.put(port, LossHistory.suspected(rate / LossHistory.MILLION)));
        return new LinkLosses(Collections.unmodifiableSortedMap(next));
    }

    /**
     * After another round of readings.
     *
     * @param directions all of the fabric
     * @param interrupted ports that send, of the links that are not up
     */
    public LinkLosses after(Collection<LinkDirection> directions, Set<PortId> interrupted, Round round) {
        SortedMap<PortId, LossHistory> next = new TreeMap<>();
        for (LinkDirection direction : directions) {
            LossHistory before = histories.get(direction.out());
            Optional<Bounds> now = round.bounds(direction);
            if (interrupted.contains(direction.out())) {
                if (before != null) {
                    next.put(direction.out(), before.interrupted());
                }
            } else if (now.isPresent()) {
                next.put(direction.out(), before == null ? LossHistory.begin(now.get()) : before.after(now.get()));
            } else if (before != null) {
                next.put(direction.out(), before.unread());
            }
        }
        return new LinkLosses(Collections.unmodifiableSortedMap(next));
    }

    /**
     * As they are told, by the port that sends; without links of which nothing is known.
     *
     * @param behind the part of packets that is lost behind ports, before these count them as sent
     */
    public SortedMap<PortId, Loss> told(Map<PortId, Double> behind) {
        SortedMap<PortId, Loss> told = new TreeMap<>();
        histories.forEach((port, history) -> history.told(behind.getOrDefault(port, 0.0))
            .ifPresent(loss -> told.put(port, loss)));
        return told;
    }
}
