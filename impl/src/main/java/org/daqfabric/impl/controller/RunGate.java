package org.daqfabric.impl.controller;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.daqfabric.api.run.Selection;
import org.daqfabric.impl.controller.spi.RunDirective;
import org.daqfabric.impl.controller.spi.RunHooks;
import org.daqfabric.impl.engine.run.FabricStatus;
import org.daqfabric.impl.engine.run.SelectedFabric;
import org.daqfabric.impl.engine.topology.Topology;

/** What run control wants of a fabric, and what it is shown of it. Belongs to the fabric's event loop. */
final class RunGate {
    private final RunHooks hooks;
    /** Who waits until what they want is so. */
    private final List<CompletableFuture<FabricStatus>> waiting = new ArrayList<>();
    private RunDirective control = RunDirective.FREE;
    /** Whether another selection is to be placed, or what a run held up, as soon as no run goes on. */
    private boolean reselected;
    private Topology weighed;
    private Topology weights;
    private Optional<Selection> weighedFor = Optional.empty();
    private FabricStatus shown;

    RunGate(RunHooks hooks) {
        this.hooks = hooks;
    }

    void obey(RunDirective wanted) {
        reselected |= control.frozen() && !wanted.frozen() || !wanted.selection().equals(control.selection());
        control = wanted;
    }

    /** Does what is wanted, and answers once it is so. */
    void obey(RunDirective wanted, CompletableFuture<FabricStatus> done) {
        obey(wanted);
        waiting.add(done);
    }

    RunDirective control() {
        return control;
    }

    boolean isFrozen() {
        return control.frozen();
    }

    /** Whether everything is to be placed anew. */
    boolean wantsPlan() {
        return reselected && !control.frozen();
    }

    /** Everything is placed as wanted. */
    void planned() {
        reselected = reselected && control.frozen();
    }

    /** A configuration with the weights to place by. */
    Topology weights(Topology of) {
        if (weighed != of || !weighedFor.equals(control.selection())) {
            weighed = of;
            weighedFor = control.selection();
            weights = SelectedFabric.of(of, weighedFor);
        }
        return weights;
    }

    /** Shows the fabric as it is. */
    void show(FabricStatus now) {
        if (!now.equals(shown)) {
            shown = now;
            hooks.seen(now);
        }
        if (now.settled()) {
            List<CompletableFuture<FabricStatus>> done = List.copyOf(waiting);
            waiting.clear();
            done.forEach(each -> each.complete(now));
        }
    }
}
