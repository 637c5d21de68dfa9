package org.daqfabric.impl.ovsdb;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.daqfabric.impl.controller.spi.BridgeListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the parts of one driver share.
 *
 * @param mayChange whether nodes may be changed at this very moment
 * @param connected takes over a socket of a dialler that connected
 */
record DriverContext(OvsdbSettings settings, BridgeListener listener, BooleanSupplier mayChange, ExecutorService threads,
        ScheduledExecutorService clock, Cache<String, Boolean> said, BiConsumer<Socket, Dialler> connected) {
    private static final Logger LOG = LoggerFactory.getLogger(DriverContext.class);
    /** How long the same complaint is not repeated. */
    private static final Duration SILENCE = Duration.ofMinutes(10);
    private static final int REMEMBERED = 1000;

    static Cache<String, Boolean> nothingSaid() {
        return CacheBuilder.newBuilder().maximumSize(REMEMBERED).expireAfterWrite(SILENCE).build();
    }

    /** Whether something is to be said because it was not said lately. */
    boolean isNew(String complaint) {
        return said.asMap().putIfAbsent(complaint, Boolean.TRUE) == null;
    }

    /** Runs a short task later, on the clock's thread. */
    void later(Duration delay, Runnable task) {
        try {
            clock.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("Closed: nothing is due any more", e);
        }
    }
}
