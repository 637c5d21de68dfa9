/**
 * Runs the fabrics: an event loop for each, and the manager that passes every event to the loop it concerns. Inputs are
 * configurations, reports of switches, and requests; outputs are decisions to the store, bridges and programs to the
 * drivers, and states to the publisher. All of them pass the interfaces of {@code spi}, so that a whole controller runs
 * in a test.
 *
 * <p>After each burst of events {@link org.daqfabric.impl.controller.FabricLoop} settles, in this order: it determines
 * the states of its links (room {@code links}), {@link org.daqfabric.impl.controller.Decisions} places anew if anything
 * has changed and stores that, {@link org.daqfabric.impl.controller.Assignment} gives every switch its desired program
 * (room {@code rollout}), and {@link org.daqfabric.impl.controller.Publication} publishes the state. What a change or
 * failure would do is computed beside the loop (room {@code whatif}). {@link org.daqfabric.impl.controller.FabricModel}
 * holds what these share. Bridges that fabrics leave are removed by
 * {@link org.daqfabric.impl.controller.Removals}, which all fabrics share and which stores what is still to be done.
 *
 * <p>A loop in which an event has failed is replaced ({@link org.daqfabric.impl.controller.LoopHealth}); {@link
 * org.daqfabric.impl.controller.DecisionWriter} keeps a store that does not answer from stopping one.
 */
package org.daqfabric.impl.controller;
