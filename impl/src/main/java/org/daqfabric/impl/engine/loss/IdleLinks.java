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
 * @param sent what each port had counted at the last round, without these frames
 * @param idle where frames are sent until the next round
 */
public record IdleLinks(Map<PortId, Long> sent, SortedSet<LinkDirection> idle) {
    public static final IdleLinks UNKNOWN = new IdleLinks(Map.of(), Collections.emptySortedSet());

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
     * @param slow directions in which packets take long: few pass, as that is all the link can carry
     * @param filled frames that each port has sent for this
     */
    public IdleLinks after(Collection<LinkDirection> directions, Set<PortId> interrupted, Set<LinkDirection> slow,
            Round round, Map<PortId, Long> filled) {
        Map<PortId, Long> nowSent = new HashMap<>();
        SortedSet<LinkDirection> nowIdle = new TreeSet<>();
        for (LinkDirection direction : directions) {
            String name = direction.out().switchName();
            PortCount count = round.last().getOrDefault(name, round.between().getOrDefault(name, Map.of()))
                .get(direction.outNumber());
            if (count == null || count.transmitted() < 0 || interrupted.contains(direction.out())) {
                continue;
            }
            long now = count.transmitted() - filled.getOrDefault(direction.out(), 0L);
            nowSent.put(direction.out(), now);
            Long before = sent.get(direction.out());
            if (before != null && now - before < FRAMES && !slow.contains(direction)) {
                nowIdle.add(direction);
            }
        }
        return new IdleLinks(nowSent, Collections.unmodifiableSortedSet(nowIdle));
    }
}
