/**
 * Computes what a change or a failure would do, and warms up the code of repairs. The input is a {@linkplain
 * org.daqfabric.impl.controller.whatif.Snapshot snapshot} of a fabric; a {@linkplain
 * org.daqfabric.impl.controller.whatif.DryRun dry run} goes through the same decisions and steps as the event loop, and
 * reports show the result. Nothing here reaches a switch or the store.
 */
package org.daqfabric.impl.controller.whatif;
