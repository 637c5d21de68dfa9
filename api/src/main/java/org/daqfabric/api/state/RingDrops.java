package org.daqfabric.api.state;

import java.time.Duration;
import java.time.Instant;

/**
 * An episode in which a daqring was full, as its switch recorded it: drops with less than a second between them.
 *
 * @param begin its first drop, by the clock of the switch
 * @param lasted from the first to the last drop; 0 if all were in one millisecond
 * @param dropped packets; of an episode that goes on, those so far
 * @param peak the most packets it held, of those in {@code occupancy}
 * @param before how many of the milliseconds in {@code occupancy} are before the one of the first drop
 * @param occupancy the most packets it held in each millisecond, oldest first: numbers with spaces between them,
 *     {@code 7*3} stands for {@code 7 7 7}
 */
public record RingDrops(Instant begin, Duration lasted, long dropped, long peak, int before, String occupancy) {
}
