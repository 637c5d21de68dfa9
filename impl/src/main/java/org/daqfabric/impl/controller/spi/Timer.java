package org.daqfabric.impl.controller.spi;

import java.time.Duration;

/** Runs a task after a delay. */
public interface Timer {
    void after(Duration delay, Runnable task);
}
