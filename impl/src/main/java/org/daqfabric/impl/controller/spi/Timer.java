package org.daqfabric.impl.controller.spi;

import java.time.Duration;

/** Runs something later. */
public interface Timer {
    void after(Duration delay, Runnable task);
}
