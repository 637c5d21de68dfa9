package org.daqfabric.impl.runcontrol;

import java.time.Instant;

/**
 * An event with its place in the sequence of notifications.
 *
 * @param epoch identifies one start of the controller
 * @param sequence counts from 1 within an epoch, without gaps
 */
public record SequencedEvent(String epoch, long sequence, Instant time, RunEvent content) {
}
