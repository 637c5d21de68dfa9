/**
 * Small helpers for code that runs in event loops and completes later: no fabric, no protocol, no OpenDaylight but its
 * futures.
 *
 * <p>{@code SerialLoop} is the event loop of a fabric and of run control, which its objects see as {@code EventLoop};
 * {@code InOrder} chains asynchronous steps; {@code Parallel} spreads work over the processors while the loop waits;
 * {@code Repeating} is a periodic task that goes on whatever it throws; {@code Backoff} is the pause before a retry;
 * {@code CacheKey} decides whether a result must be computed again; {@code Futures} and {@code Causes} convert futures
 * and exceptions.
 *
 * <p>Words: an <em>event</em> is a task posted to a loop; a loop <em>settles</em> when no event is left.
 */
package org.daqfabric.impl.async;
