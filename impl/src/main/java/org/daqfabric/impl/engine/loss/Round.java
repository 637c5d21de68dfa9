package org.daqfabric.impl.engine.loss;

import java.util.Map;
import java.util.Optional;

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
    Optional<Bounds> bounds(Direction direction) {
        Optional<PortCount> from = count(between, direction.from().switchName(), direction.fromNumber());
        Optional<PortCount> to = count(between, direction.to().switchName(), direction.toNumber());
        return from.isEmpty() == to.isEmpty() ? Optional.empty()
            : to.isPresent() ? bounds(direction, to.get().received()) : sent(direction, from.get().transmitted());
    }

    /** The sender was read before and after the receiver: it had sent at least the one and at most the other. */
    private Optional<Bounds> bounds(Direction direction, long received) {
        String name = direction.from().switchName();
        return count(first, name, direction.fromNumber()).flatMap(before ->
            count(last, name, direction.fromNumber()).flatMap(after -> Bounds.of(before.transmitted(),
                before.transmitted() - received, after.transmitted() - received, received)));
    }

    /** The receiver was read before and after the sender. */
    private Optional<Bounds> sent(Direction direction, long sent) {
        String name = direction.to().switchName();
        return count(first, name, direction.toNumber()).flatMap(before ->
            count(last, name, direction.toNumber()).flatMap(after -> Bounds.of(sent, sent - after.received(),
                sent - before.received(), after.received())));
    }

    private static Optional<PortCount> count(Map<String, Map<Integer, PortCount>> step, String name, int number) {
        return Optional.ofNullable(step.getOrDefault(name, Map.of()).get(number))
            .filter(count -> count.received() >= 0 && count.transmitted() >= 0);
    }
}
