package org.daqfabric.impl.engine.loss;

import java.util.Optional;

/**
 * Packets of a link in one direction at one reading: how many the sender has counted more than the receiver. That
 * difference has no meaning in itself, as the ports began to count at different times; its growth is what was lost.
 *
 * @param sent what the sender has counted
 * @param least lower bound of the difference
 * @param most upper bound of the difference
 * @param received what the receiver has counted
 */
public record Bounds(long sent, long least, long most, long received) {
    /** Before any reading. */
    static final Bounds NONE = new Bounds(0, 0, 0, 0);

    /** Empty if a counter began again during the reading. */
    static Optional<Bounds> of(long sent, long least, long most, long received) {
        return least <= most ? Optional.of(new Bounds(sent, least, most, received)) : Optional.empty();
    }

    /** Whether no counter began again since another, earlier reading. */
    boolean continues(Bounds earlier) {
        return sent >= earlier.sent && received >= earlier.received;
    }
}
