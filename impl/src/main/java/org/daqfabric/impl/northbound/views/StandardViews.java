package org.daqfabric.impl.northbound.views;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.impl.controller.spi.FabricPorts;
import org.daqfabric.impl.controller.spi.PortReading;
import org.daqfabric.impl.controller.spi.StatePublisher;
import org.daqfabric.impl.engine.check.InvalidInputException;
import org.opendaylight.mdsal.binding.api.DataBroker;

/**
 * Brings views of all fabrics into the operational datastore, at most {@link #PAUSE} apart and only what differs. The
 * views of others stay as they are.
 */
public final class StandardViews implements StatePublisher, AutoCloseable {
    /** Twice in the second in which a view must be correct: what happens just after a write waits for the next. */
    private static final Duration PAUSE = Duration.ofMillis(500);

    /** How long closing waits for the datastore. */
    private static final long CLOSE_SECONDS = 3;

    private final DataBroker broker;
    private final ScheduledExecutorService executor;
    private final boolean alone;
    @GuardedBy("fabrics")
    private final Map<String, ViewWriter> fabrics = new HashMap<>();
    /** What writers that have ended have left in the datastore, by fabric. */
    @GuardedBy("fabrics")
    private final Map<String, ShownFabric> left = new HashMap<>();
    @GuardedBy("fabrics")
    private boolean closed;

    /**
     * Starts with no view.
     *
     * @param executor where views are compared and transactions made; not shut down by {@link #close()}
     * @param alone whether there are no other members of a cluster, which may be writing the views when this one closes
     */
    public StandardViews(DataBroker broker, ScheduledExecutorService executor, boolean alone) {
        this.broker = broker;
        this.executor = executor;
        this.alone = alone;
    }

    @Override
    public void publish(FabricState state) {
        // comes with the ports
    }

    @Override
    public void ports(FabricPorts ports) {
        synchronized (fabrics) {
            if (!closed) {
                fabrics.computeIfAbsent(ports.spec().name(), this::writer).ports(ports);
            }
        }
    }

    @Override
    public void read(String fabric, String switchName, Instant when, SortedMap<String, PortReading> ports) {
        SwitchReading reading = SwitchReading.of(when, ports);
        synchronized (fabrics) {
            Optional.ofNullable(fabrics.get(fabric)).ifPresent(writer -> writer.read(switchName, reading));
        }
    }

    @Override
    public void withdraw(String fabric) {
        synchronized (fabrics) {
            if (!closed) {
                fabrics.computeIfAbsent(fabric, this::writer).remove();
            }
        }
    }

    @Override
    public void forget(String fabric) {
        synchronized (fabrics) {
            Optional.ofNullable(fabrics.remove(fabric)).flatMap(ViewWriter::end)
                .ifPresent(view -> left.put(fabric, view));
        }
    }

    /**
     * A fabric as a document of RFC 8345.
     *
     * @throws InvalidInputException if it is not shown yet
     */
    public String networks(String fabric) {
        Optional<ViewWriter> writer;
        synchronized (fabrics) {
            writer = Optional.ofNullable(fabrics.get(fabric));
        }
        return writer.flatMap(ViewWriter::newest).map(NetworksDocument::of)
            .orElseThrow(() -> new InvalidInputException("fabric", "fabric " + fabric
                + " has just been configured or removed: try again in a moment"));
    }

    @GuardedBy("fabrics")
    private ViewWriter writer(String fabric) {
        return new ViewWriter(fabric, broker, executor, PAUSE, Optional.ofNullable(left.remove(fabric)));
    }

    /** Writes nothing more, and removes the views unless other members of the cluster may write them from now on. */
    @Override
    public void close() {
        List<ViewWriter> writers;
        synchronized (fabrics) {
            closed = true;
            if (alone) {
                Set.copyOf(left.keySet()).forEach(fabric -> fabrics.computeIfAbsent(fabric, this::writer));
                fabrics.values().forEach(ViewWriter::remove);
            }
            writers = List.copyOf(fabrics.values());
        }
        if (alone) {
            CompletableFuture.allOf(writers.stream().map(ViewWriter::whenWritten).toArray(CompletableFuture[]::new))
                .completeOnTimeout(null, CLOSE_SECONDS, TimeUnit.SECONDS).join();
        }
        writers.forEach(ViewWriter::end);
    }
}
