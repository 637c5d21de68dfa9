package org.daqfabric.impl.northbound.views;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import org.daqfabric.impl.controller.spi.FabricPorts;
import org.daqfabric.impl.northbound.LatestWriter;
import org.eclipse.jdt.annotation.Nullable;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.WriteTransaction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings the newest view of one fabric into the datastore. */
final class ViewWriter {
    private static final Logger LOG = LoggerFactory.getLogger(ViewWriter.class);

    private final String fabric;
    /** Its values only count what has arrived: the newest view is made when it is written. */
    private final LatestWriter<Long> writer;
    @GuardedBy("this")
    private final Map<String, SwitchReading> readings = new HashMap<>();
    /** Null before the first, and when the fabric is removed. */
    @GuardedBy("this")
    private @Nullable FabricPorts ports;
    @GuardedBy("this")
    private long arrived;
    /** The last view that was written or tried to; empty if it is not known what the datastore has. */
    private volatile Optional<ShownFabric> tried;
    /** Whether it was not removed after that. */
    private boolean shown;

    /**
     * Has nothing to write yet.
     *
     * @param left what the writer before has left in the datastore; empty if there was none
     */
    ViewWriter(String fabric, DataBroker broker, ScheduledExecutorService executor, Duration pause,
            Optional<ShownFabric> left) {
        this.fabric = fabric;
        tried = left;
        writer = new LatestWriter<>("Fabric " + fabric + ": its views", broker, executor, LatestWriter.LIMIT, pause,
            (tx, before, target) -> write(tx, before != null));
    }

    synchronized void ports(FabricPorts now) {
        ports = now;
        readings.keySet().retainAll(now.reported().keySet());
        writer.want(++arrived);
    }

    synchronized void read(String switchName, SwitchReading reading) {
        readings.put(switchName, reading);
        writer.want(++arrived);
    }

    /** The fabric is removed. */
    synchronized void remove() {
        ports = null;
        readings.clear();
        writer.want(++arrived);
    }

    /** The view by the newest reports; empty if there are none. Those who report do not wait while it is made. */
    Optional<ShownFabric> newest() {
        FabricPorts now;
        Map<String, SwitchReading> read;
        synchronized (this) {
            now = ports;
            read = Map.copyOf(readings);
        }
        return Optional.ofNullable(now).map(reported -> ShownFabric.of(reported, read));
    }

    /**
     * Fills a transaction.
     *
     * @param known whether the datastore holds what was tried last
     */
    private void write(WriteTransaction tx, boolean known) {
        Optional<ShownFabric> now = newest();
        ViewChange change = new ViewChange(tx);
        if (now.isPresent() && tried.isPresent() && known && shown) {
            change.write(tried.get(), now.get());
        } else {
            // switches that have left meanwhile, and all that a write that failed may have changed
            tried.ifPresent(change::removeAll);
            now.ifPresent(change::writeAll);
        }
        tried = now.or(() -> tried);
        shown = now.isPresent();
        LOG.debug("Fabric {}: {} writes to its views", fabric, change.writes());
    }

    /** Writes nothing more, and returns what it leaves in the datastore. */
    Optional<ShownFabric> end() {
        writer.end();
        return tried;
    }

    /** Completes when the newest view is in the datastore. */
    CompletableFuture<Void> whenWritten() {
        return writer.whenWritten();
    }
}
