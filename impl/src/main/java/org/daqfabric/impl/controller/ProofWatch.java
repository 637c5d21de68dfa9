package org.daqfabric.impl.controller;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.daqfabric.api.state.FabricState.Proof;
import org.daqfabric.impl.async.CacheKey;
import org.daqfabric.impl.async.Clocks;
import org.daqfabric.impl.controller.links.LinkTracker;
import org.daqfabric.impl.controller.rollout.Rollout;
import org.daqfabric.impl.controller.spi.PathProver;
import org.daqfabric.impl.engine.diff.Stage;
import org.daqfabric.impl.engine.proof.PairReport;
import org.daqfabric.impl.engine.proof.SilentParts;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.LinkDirection;
import org.eclipse.jdt.annotation.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has packets sent through the fabric as it is, and takes links that carry none out of use. Belongs to the fabric's
 * event loop.
 */
final class ProofWatch {
    private static final Logger LOG = LoggerFactory.getLogger(ProofWatch.class);

    /** For how long packets may be missed that a daqring has dropped: what it drops says nothing of the path. */
    private static final Duration CONGESTED = Duration.ofSeconds(60);

    private final FabricModel model;
    private final LinkTracker links;
    private final Rollout rollout;
    private final DropLog drops;
    private final PathProver prover;
    private final Clocks clocks;
    private final BiConsumer<String, Runnable> post;
    private SortedMap<String, Proof> proofs = Collections.emptySortedMap();
    private Optional<Instant> silence = Optional.empty();
    private PathProver.@Nullable Watch watch;
    /** What is being proven. */
    private @Nullable CacheKey followed;

    ProofWatch(FabricModel model, LinkTracker links, Rollout rollout, DropLog drops, PathProver prover,
            Clocks clocks, BiConsumer<String, Runnable> post) {
        this.model = model;
        this.links = links;
        this.rollout = rollout;
        this.drops = drops;
        this.prover = prover;
        this.clocks = clocks;
        this.post = post;
    }

    /** The fabric has settled: its packets take the programs that switches have confirmed. */
    void update() {
        CacheKey now = CacheKey.of(model.topology(), model.numbers(), rollout.programs(), model.unusable(),
            links.silentLinks());
        if (now.isSame(followed) || model.isAwaitingFirstReports() || !rollout.hasFinished(Stage.CHANGE)) {
            return;
        }
        followed = now;
        if (watch == null) {
            watch = prover.watch(model.name(), silent -> post.accept("fabric " + model.name() + ": silent links",
                () -> silent(silent)), report -> {
                    long nanos = System.nanoTime();
                    post.accept("fabric " + model.name() + ": proofs", () -> proven(report, nanos));
                });
        }
        watch.follow(new PathProver.Scene(model.topology(), model.decision().placement().routes(), model.numbers(),
            rollout.programs(), model.unusable(), links.silentLinks(), model.topology().spec().policy().mtu()));
    }

    private void silent(SilentParts now) {
        now.directions().forEach(each -> LOG.warn("fabric {}: no packets pass from {}, though the link is up",
            model.name(), each));
        links.silent(now);
    }

    /** What packets have shown of each DCM. */
    SortedMap<String, Proof> proofs() {
        return proofs;
    }

    /** Since when no packet at all has arrived; empty if some do, or none could be sent. */
    Optional<Instant> silence() {
        return silence;
    }

    /** Directions of links in which packets take long: they carry as much as they can, or a switch is busy. */
    Set<LinkDirection> slow() {
        return watch == null ? Set.of() : watch.slow();
    }

    private void proven(PairReport report, long now) {
        Instant shown = clocks.wall().instant().truncatedTo(ChronoUnit.SECONDS);
        proofs = proofs(report, now, shown);
        Optional<Instant> silentNow = report.silence().stream().boxed().findFirst()
            .map(since -> silence.orElseGet(() -> ago(shown, now - since)));
        if (silentNow.isPresent() && silence.isEmpty()) {
            LOG.warn("fabric {}: none of the packets that prove paths arrives within a second; what passes is not"
                + " known", model.name());
        } else if (silentNow.isEmpty() && silence.isPresent()) {
            LOG.info("fabric {}: packets that prove paths arrive again, or none can be sent", model.name());
        }
        silence = silentNow;
    }

    private static Instant ago(Instant now, long nanos) {
        return now.minusSeconds(TimeUnit.NANOSECONDS.toSeconds(nanos));
    }

    private SortedMap<String, Proof> proofs(PairReport report, long now, Instant shown) {
        SortedMap<String, Proof> found = new TreeMap<>();
        model.topology().endpoints().values().stream().filter(Endpoint::isDcm).map(Endpoint::name).forEach(dcm -> {
            Optional<Instant> last = Optional.ofNullable(report.since().get(dcm))
                .map(since -> ago(shown, now - since));
            SortedSet<String> missed = drops.hasDropped(dcm, CONGESTED) ? Collections.emptySortedSet()
                : report.missed().getOrDefault(dcm, Collections.emptySortedSet());
            if (!missed.isEmpty() && !missed.equals(proofs.getOrDefault(dcm, Proof.NONE).missed())) {
                LOG.warn("fabric {}: packets between {} and ROS {} do not arrive, though there is a path", model.name(),
                    dcm, String.join(", ", missed));
            }
            found.put(dcm, new Proof(last, missed, report.old().getOrDefault(dcm, Collections.emptySortedSet())));
        });
        return Collections.unmodifiableSortedMap(found);
    }

    void stop() {
        if (watch != null) {
            watch.close();
            watch = null;
            followed = null;
            proofs = Collections.emptySortedMap();
            silence = Optional.empty();
        }
    }
}
