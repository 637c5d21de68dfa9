package org.daqfabric.impl.engine.loss;

import java.util.Map;
import java.util.Optional;
import org.daqfabric.impl.engine.topology.LinkDirection;

/**
 * Readings of all switches, in three steps: some of them, then the others, then the first ones again. No step begins
 * before all answers to the one before have arrived. Each link has one end that is read twice, so that its other end is
 * read between.
 *
 * @param first counters by switch and OpenFlow number; without switches that did not answer
 */
public record Round(Map<String, Map<Integer, PortCount>> first, Map<String, Map<Integer, PortCount>> between,
        Map<String, Map<Integer, PortCount>> last) {
    /** What a link may have lost in one direction; empty if a reading is missing, or both ends are read together. */
    Optional<Bounds> bounds(LinkDirection direction) {
        Optional<PortCount> from = count(between, direction.out().switchName(), direction.outNumber());
        Optional<PortCount> to = count(between, direction.in().switchName(), direction.inNumber());
        return from.isEmpty() == to.isEmpty() ? Optional.empty()
            : to.isPresent() ? bounds(direction, to.get().received()) : sent(direction, from.get().transmitted());
    }

    /** The sender was read before and after the receiver: it had sent at least the one and at most the other. */
    private Optional<Bounds> bounds(LinkDirection direction, long received) {
        String name = direction.out().switchName();
        return count(first, name, direction.outNumber()).flatMap(before ->
            count(last, name, direction.outNumber()).flatMap(after -> Bounds.of(before.transmitted(),
                before.transmitted() - received, after.transmitted() - received, received)));
    }

    /** The receiver was read before and after the sender. */
    private Optional<Bounds> sent(LinkDirection direction, long sent) {
        String name = direction.in().switchName();
        return count(first, name, direction.inNumber()).flatMap(before ->
            count(last, name, direction.inNumber()).flatMap(after -> Bounds.of(sent, sent - after.received(),
                sent - before.received(), after.received())));
    }

    private static Optional<PortCount> count(Map<String, Map<Integer, PortCount>> step, String name, int number) {
        return Optional.ofNullable(step.getOrDefault(name, Map.of()).get(number))
            .filter(count -> count.received() >= 0 && count.transmitted() >= 0);
    }
}
