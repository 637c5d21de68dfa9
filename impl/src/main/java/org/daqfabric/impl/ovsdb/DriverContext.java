package org.daqfabric.impl.ovsdb;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.daqfabric.impl.controller.spi.BridgeListener;
import org.daqfabric.impl.controller.spi.Installation;
import org.daqfabric.impl.peers.PeerLog;
import org.daqfabric.impl.peers.Places;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the parts of one driver share.
 *
 * @param mayChange whether nodes may be changed at this very moment
 * @param threads starts a virtual thread per task
 * @param clock runs short tasks after a delay
 * @param logged keys of the lines that are not logged again for a while
 * @param strangers lines about peers in no fabric
 * @param places the connections of all nodes, and which of them are wanted
 * @param serials those of the bridges of all nodes
 * @param connected takes over the socket of a dialler that has connected
 * @param installation which installation this is
 */
record DriverContext(OvsdbSettings settings, BridgeListener listener, BooleanSupplier mayChange,
        ExecutorService threads, ScheduledExecutorService clock, Cache<String, Boolean> logged,
        PeerLog strangers, Places<JsonRpcConnection> places, BridgeSerials serials,
        BiConsumer<Socket, Dialler> connected, Supplier<Installation> installation) {
    private static final Logger LOG = LoggerFactory.getLogger(DriverContext.class);
    /** How long the same line is not logged again. */
    private static final Duration SILENCE = Duration.ofMinutes(10);
    private static final int REMEMBERED = 1000;

    static Cache<String, Boolean> emptyLog() {
        return CacheBuilder.newBuilder().maximumSize(REMEMBERED).expireAfterWrite(SILENCE).build();
    }

    /** Whether a line with this key was not logged lately; it counts as logged from now on. */
    boolean shouldLog(String key) {
        return logged.asMap().putIfAbsent(key, Boolean.TRUE) == null;
    }

    /** Whether a line about a peer that is in no fabric is to be logged; it counts as logged from now on. */
    boolean shouldLog(InetSocketAddress stranger, String line) {
        return strangers.isLogged(stranger.getAddress().getHostAddress(), line);
    }

    /** Whether the driver has been closed. */
    boolean isStopping() {
        return threads.isShutdown();
    }

    /** Runs a short task later, on the clock's thread. */
    void later(Duration delay, Runnable task) {
        try {
            clock.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("Closed: no task is scheduled any more", e);
        }
    }
}
