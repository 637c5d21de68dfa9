package org.daqfabric.impl.controller;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.daqfabric.api.run.Selection;
import org.daqfabric.impl.controller.spi.RunDirective;
import org.daqfabric.impl.controller.spi.RunHooks;
import org.daqfabric.impl.engine.run.FabricStatus;
import org.daqfabric.impl.engine.run.SelectedFabric;
import org.daqfabric.impl.engine.topology.Topology;
import org.eclipse.jdt.annotation.Nullable;

/** Keeps run control's directive for a fabric, and reports the fabric to it. Belongs to the fabric's event loop. */
final class RunGate {
    private final RunHooks hooks;
    /** Callers that wait until the placement follows their directive. */
    private final List<CompletableFuture<FabricStatus>> waiting = new ArrayList<>();
    private RunDirective directive = RunDirective.FREE;
    /** Whether to place anew when no run is in progress: the selection has changed, or a run has ended. */
    private boolean replan;
    private @Nullable Topology weighted;
    /** What the weighted topology was made from. */
    private @Nullable Topology weightedFrom;
    private Optional<Selection> weightedFor = Optional.empty();
    private @Nullable FabricStatus reported;

    RunGate(RunHooks hooks) {
        this.hooks = hooks;
    }

    void apply(RunDirective next) {
        replan |= directive.frozen() && !next.frozen() || !next.selection().equals(directive.selection());
        directive = next;
    }

    /** Applies a directive, and completes the future when the placement follows it. */
    void apply(RunDirective next, CompletableFuture<FabricStatus> done) {
        apply(next);
        waiting.add(done);
    }

    /** Applies the first directive, and completes the futures when the placement follows it. */
    void begin(RunDirective first, Collection<CompletableFuture<FabricStatus>> callers) {
        apply(first);
        waiting.addAll(callers);
    }

    RunDirective directive() {
        return directive;
    }

    boolean isFrozen() {
        return directive.frozen();
    }

    /** Whether the directive requires a new placement now. */
    boolean needsPlacement() {
        return replan && !directive.frozen();
    }

    /** A new placement follows the directive. */
    void placed() {
        replan = replan && directive.frozen();
    }

    /** A configuration with the weights to place by. */
    Topology weighted(Topology topology) {
        if (weightedFrom != topology || !weightedFor.equals(directive.selection())) {
            weightedFrom = topology;
            weightedFor = directive.selection();
            weighted = SelectedFabric.of(topology, weightedFor);
        }
        return weighted;
    }

    /** Reports the fabric to run control if it has changed. */
    void report(FabricStatus now) {
        if (!now.equals(reported)) {
            reported = now;
            hooks.changed(now);
        }
        if (now.settled()) {
            List<CompletableFuture<FabricStatus>> done = List.copyOf(waiting);
            waiting.clear();
            done.forEach(each -> each.complete(now));
        }
    }
}
