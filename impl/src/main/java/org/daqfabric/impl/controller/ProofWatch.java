package org.daqfabric.impl.controller;

import java.util.SortedSet;
import java.util.function.BiConsumer;
import org.daqfabric.impl.async.CacheKey;
import org.daqfabric.impl.controller.links.LinkTracker;
import org.daqfabric.impl.controller.rollout.Rollout;
import org.daqfabric.impl.controller.spi.PathProver;
import org.daqfabric.impl.engine.diff.Stage;
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

    private final FabricModel model;
    private final LinkTracker links;
    private final Rollout rollout;
    private final PathProver prover;
    private final BiConsumer<String, Runnable> post;
    private PathProver.@Nullable Watch watch;
    /** What is being proven. */
    private @Nullable CacheKey followed;

    ProofWatch(FabricModel model, LinkTracker links, Rollout rollout, PathProver prover,
            BiConsumer<String, Runnable> post) {
        this.model = model;
        this.links = links;
        this.rollout = rollout;
        this.prover = prover;
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
                () -> silent(silent)));
        }
        watch.follow(new PathProver.Scene(model.topology(), model.numbers(), rollout.programs(), model.unusable(),
            links.silentLinks(), model.topology().spec().policy().mtu()));
    }

    private void silent(SortedSet<LinkDirection> now) {
        now.forEach(each -> LOG.warn("fabric {}: no packets pass from {}, though the link is up", model.name(), each));
        links.silent(now);
    }

    void stop() {
        if (watch != null) {
            watch.close();
            watch = null;
            followed = null;
        }
    }
}
