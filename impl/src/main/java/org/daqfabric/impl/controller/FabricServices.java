package org.daqfabric.impl.controller;

import java.time.Duration;
import java.util.concurrent.Executor;
import org.daqfabric.impl.async.Clocks;
import org.daqfabric.impl.controller.spi.DecisionStore;
import org.daqfabric.impl.controller.spi.Recorder;
import org.daqfabric.impl.controller.spi.RemovalStore;
import org.daqfabric.impl.controller.spi.StatePublisher;
import org.daqfabric.impl.controller.spi.Timer;

/**
 * What every event loop uses, whether this controller is active or not.
 *
 * @param executor runs the event loops, each one event at a time
 * @param background runs long computations beside the event loops, which these wait for
 * @param questions runs those that only users wait for, so that no event loop does
 * @param compareInterval how often every switch is compared with its program; zero for never
 */
public record FabricServices(DecisionStore store, RemovalStore removals, StatePublisher publisher,
        Clocks clocks, Timer timer, Executor executor, Executor background, Executor questions,
        Duration compareInterval, Recorder recorder) {
}
