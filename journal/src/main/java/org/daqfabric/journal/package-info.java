/**
 * Corrects OpenDaylight's journal, which otherwise takes no write any more after two large ones, and does not open any
 * more if the controller is killed within microseconds of a large one. It is a bundle of its own because it has to
 * start before OpenDaylight does. {@code CorrectedBuffer} can go when the OpenDaylight below is controller 11.0.3 or
 * later; the newest release still wants {@code BegunWrites}.
 */
package org.daqfabric.journal;
