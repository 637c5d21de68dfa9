/**
 * Corrects OpenDaylight's journal, which otherwise takes no write any more after two large ones, does not open any more
 * if the controller is killed within microseconds of a large one, and forgets what it has if it is killed just after an
 * answer. It is a bundle of its own because it has to start before OpenDaylight does. {@code CorrectedBuffer} can go
 * when the OpenDaylight below is controller 11.0.3 or later; the newest release still wants {@code BegunWrites} and
 * {@code AppliedEntries}.
 */
package org.daqfabric.journal;
