package org.daqfabric.impl.runcontrol;

import java.time.Instant;

/**
 * A happening in its place.
 *
 * @param epoch names the controller's start
 * @param sequence counts from 1 in an epoch, without a gap
 */
public record SequencedEvent(String epoch, long sequence, Instant time, RunEvent happening) {
}
