package org.daqfabric.impl.engine.loss;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.topology.LinkDirection;

/**
 * The directions of links that carry too little for losses to be found within ten seconds. Small frames are sent there
 * after each round, which the other end counts and drops.
 *
 * @param sent what each port had counted at the last round
 * @param idle where frames are sent until the next round
 * @param filled frames that each port has sent for this until the last round
 */
public record IdleLinks(Map<PortId, Long> sent, SortedSet<LinkDirection> idle, Map<PortId, Long> filled) {
    public static final IdleLinks UNKNOWN = new IdleLinks(Map.of(), Collections.emptySortedSet(), Map.of());

    /**
     * Frames between two rounds: of 800 in ten seconds eight are lost if a hundredth is, and five must be
     * ({@link LossHistory#FEWEST}). A link of 10 Gbit/s carries 14 million small ones a second.
     */
    public static final int FRAMES = 80;

    /**
     * After another round of readings.
     *
     * @param directions all of the fabric
     * @param interrupted ports that send, of the links that are not up
     */
    public IdleLinks after(Collection<LinkDirection> directions, Set<PortId> interrupted, Round round) {
        Map<PortId, Long> nowSent = new HashMap<>();
        SortedSet<LinkDirection> nowIdle = new TreeSet<>();
        Map<PortId, Long> nowFilled = new HashMap<>(filled);
        idle.forEach(each -> nowFilled.merge(each.out(), (long) FRAMES, Long::sum));
        for (LinkDirection direction : directions) {
            String name = direction.out().switchName();
            PortCount count = round.last().getOrDefault(name, round.between().getOrDefault(name, Map.of()))
                .get(direction.outNumber());
            if (count == null || count.transmitted() < 0 || interrupted.contains(direction.out())) {
                continue;
            }
            nowSent.put(direction.out(), count.transmitted());
            Long before = sent.get(direction.out());
            long ours = idle.contains(direction) ? FRAMES : 0;
            if (before != null && count.transmitted() - before - ours < FRAMES) {
                nowIdle.add(direction);
            }
        }
        return new IdleLinks(nowSent, Collections.unmodifiableSortedSet(nowIdle), nowFilled);
    }
}
