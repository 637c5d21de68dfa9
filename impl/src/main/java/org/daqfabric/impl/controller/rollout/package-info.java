/**
 * Brings switches from their installed to their desired programs. Inputs are a decision and the ports that exist;
 * outputs are batches of messages to each switch, and the progress of each. {@link
 * org.daqfabric.impl.controller.rollout.ProgramCache} compiles programs where their inputs have changed, {@link
 * org.daqfabric.impl.controller.rollout.Rollout} takes all switches through the {@linkplain
 * org.daqfabric.impl.engine.rollout.Step steps}, and {@link org.daqfabric.impl.controller.rollout.SwitchDriver} takes
 * one switch through the stages that a step allows.
 */
package org.daqfabric.impl.controller.rollout;
