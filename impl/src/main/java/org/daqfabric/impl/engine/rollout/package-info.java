/**
 * The rules for going from one decision and one set of programs to the next: what may move ({@link
 * org.daqfabric.impl.engine.rollout.Replan}), in which steps switches change ({@link
 * org.daqfabric.impl.engine.rollout.Step}), and whether edge switches must change after the others ({@link
 * org.daqfabric.impl.engine.rollout.AvoidedLinks}). The event loop of a fabric and the dry run both follow them, so
 * that a plan says what the fabric will do. Pure: no clock, no thread, no switch.
 */
package org.daqfabric.impl.engine.rollout;
