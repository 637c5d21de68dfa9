package org.daqfabric.impl.controller.whatif;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.controller.FabricLoop;
import org.daqfabric.impl.controller.links.SwitchView;
import org.daqfabric.impl.controller.rollout.Planner;
import org.daqfabric.impl.controller.rollout.ProgramCache;
import org.daqfabric.impl.controller.spi.Decision;
import org.daqfabric.impl.engine.diff.Stage;
import org.daqfabric.impl.engine.place.Scope;
import org.daqfabric.impl.engine.topology.Topology;
import org.daqfabric.impl.engine.whatif.RolloutSimulation;

/**
 * Goes through the steps of {@link FabricLoop} for a change or failure without touching anything: the same decisions,
 * programs and messages. What takes time in a network takes it in one order here: a placement is stored before any
 * switch confirms anything, new ports are there when the switches hold what they can hold without them, which makes no
 * difference unless links are parallel, and all new links come up together.
 */
final class DryRun {
    private final Snapshot start;
    private final ProgramCache programs = new ProgramCache();
    private final RolloutSimulation sending;
    private Set<PortId> goneRound;
    private Topology topology;
    private Decision decision;
    private UnusableLinks view;

    /**
     * Begins with a fabric as it is.
     *
     * @param failing switches that fail in the end
     */
    DryRun(Snapshot start, Set<String> failing) {
        this.start = start;
        topology = start.topology();
        decision = start.decision();
        view = start.view();
        goneRound = start.goneRound().orElse(null);
        Set<String> silent = new HashSet<>(failing);
        start.switches().forEach((name, known) -> {
            if (known.everOpenflow() && !known.openflow()) {
                silent.add(name);
            }
        });
        sending = new RolloutSimulation(start.programs(), silent);
    }

    /** Everything that is asked: first the change, then the failures. */
    static DryRun of(Snapshot start, Set<String> failing) {
        DryRun run = new DryRun(start, failing);
        if (start.next() != start.topology()) {
            run.configure(start.next(), start.changed());
        }
        run.see(start.proven());
        run.see(start.failed());
        return run;
    }

    /** A new configuration. */
    void configure(Topology next, UnusableLinks usable) {
        Decision before = decision;
        topology = next;
        decision = decide(next, usable, Scope.OPTIMISE);
        view = usable;
        adopt(before);
    }

    /** Other links can be used than before. */
    void see(UnusableLinks now) {
        if (now.equals(view)) {
            return;
        }
        boolean back = !now.down().containsAll(view.down());
        view = now;
        Set<PortId> around = around();
        sending.begin(programs.of(topology, view, decision, present(decision.portNumbers())),
            goneRound != null && around.size() <= 1 ? Set.of() : topology.edges().keySet());
        goneRound = around;
        Decision before = decision;
        decision = decide(topology, view, back ? Scope.OPTIMISE : Scope.REPAIR);
        adopt(before);
    }

    private Decision decide(Topology of, UnusableLinks usable, Scope scope) {
        SortedMap<String, SortedMap<String, Integer>> given = new TreeMap<>();
        start.told().numbers().forEach((name, ports) -> given.put(name, new TreeMap<>(ports)));
        decision.portNumbers().numbers().forEach((name, ports) ->
            given.computeIfAbsent(name, key -> new TreeMap<>()).putAll(ports));
        return Planner.decide(of, start.weights(of), usable, decision, new PortNumbers(given),
            start.control().wantsOnlyRepairs(of) ? Scope.REPAIR : scope, start.ringCapable());
    }

    private void adopt(Decision before) {
        sending.finish(programs.of(topology, view, decision, present(before.portNumbers())), Stage.CHANGE);
        sending.finish(programs.of(topology, view, decision, present(decision.portNumbers())), Stage.REMOVE);
        goneRound = topology.outOfUse(view);
    }

    /** Names of the ports each switch has of those it must have, when it was told of those numbered. */
    private SortedMap<String, Set<String>> present(PortNumbers numbered) {
        SortedMap<String, Set<String>> present = new TreeMap<>();
        for (String name : topology.roles().keySet()) {
            SortedMap<String, Integer> wanted = decision.portNumbers().of(name);
            SwitchView known = start.switches().getOrDefault(name, SwitchView.UNSEEN);
            Set<String> there = new HashSet<>(known.present(wanted));
            if (known.ovsdb() || !known.seen()) {
                numbered.of(name).forEach((port, number) -> {
                    boolean isNew = !number.equals(start.decision().portNumbers().of(name).get(port));
                    if (isNew && number.equals(wanted.get(port))) {
                        there.add(port);
                    }
                });
            }
            present.put(name, there);
        }
        return present;
    }

    private Set<PortId> around() {
        Set<PortId> around = topology.outOfUse(view);
        around.addAll(Optional.ofNullable(goneRound).orElse(Set.of()));
        return around;
    }

    Topology topology() {
        return topology;
    }

    Decision decision() {
        return decision;
    }

    UnusableLinks view() {
        return view;
    }

    SortedMap<String, Program> programs() {
        return sending.held();
    }

    int messages() {
        return sending.messages();
    }

    int messages(String switchName) {
        return sending.messages(switchName);
    }
}
