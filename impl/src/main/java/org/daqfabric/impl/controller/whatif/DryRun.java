package org.daqfabric.impl.controller.whatif;

import java.util.HashSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.program.Program;
import org.daqfabric.impl.controller.links.SwitchView;
import org.daqfabric.impl.controller.rollout.Planner;
import org.daqfabric.impl.controller.rollout.ProgramCache;
import org.daqfabric.impl.controller.spi.Decision;
import org.daqfabric.impl.engine.diff.Stage;
import org.daqfabric.impl.engine.rollout.AvoidedLinks;
import org.daqfabric.impl.engine.rollout.Replan;
import org.daqfabric.impl.engine.rollout.RolloutSimulation;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * Goes through the steps of a fabric's event loop for a change or failure without touching anything: the same decisions,
 * programs and messages, by the rules of {@code engine.rollout}. What happens concurrently in a network happens in one
 * order here: a placement is stored before any switch confirms anything, new ports exist when the switches hold what they
 * can hold without them, which makes no difference unless links are parallel, and all new links come up together.
 */
public final class DryRun {
    private final Snapshot start;
    private final ProgramCache programs = new ProgramCache();
    private final RolloutSimulation rollout;
    private AvoidedLinks avoided;
    private Topology topology;
    private Decision decision;
    private UnusableLinks unusable;

    /**
     * Begins with a fabric as it is.
     *
     * @param failing switches that fail in the end
     */
    DryRun(Snapshot start, Set<String> failing) {
        this.start = start;
        topology = start.topology();
        decision = start.decision();
        unusable = start.unusable();
        avoided = start.avoided();
        Set<String> silent = new HashSet<>(failing);
        start.switches().forEach((name, view) -> {
            if (view.everOpenflow() && !view.openflow()) {
                silent.add(name);
            }
        });
        rollout = new RolloutSimulation(start.programs(), silent);
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

    /** A new configuration comes. */
    void configure(Topology next, UnusableLinks now) {
        final Decision before = decision;
        topology = next;
        unusable = now;
        decision = decide(true, false);
        adopt(before);
    }

    /** Other links can be used than before. */
    void see(UnusableLinks now) {
        if (now.equals(unusable)) {
            return;
        }
        final boolean linksBack = Replan.linksBack(unusable, now);
        unusable = now;
        rollout.begin(programs.of(topology, now, decision, present(decision.portNumbers())),
            avoided.changeLast(topology, now));
        avoided = avoided.during(topology, now);
        Decision before = decision;
        decision = decide(false, linksBack);
        adopt(before);
    }

    private Decision decide(boolean reconfigured, boolean linksBack) {
        SortedMap<String, SortedMap<String, Integer>> given = new TreeMap<>();
        start.given().numbers().forEach((name, ports) -> given.put(name, new TreeMap<>(ports)));
        decision.portNumbers().numbers().forEach((name, ports) ->
            given.computeIfAbsent(name, key -> new TreeMap<>()).putAll(ports));
        Replan why = new Replan(false, reconfigured, linksBack, false, start.control().wantsOnlyRepairs(topology));
        return Planner.decide(topology, start.weights(topology), unusable, decision, new PortNumbers(given), why.scope(),
            start.ringCapable());
    }

    private void adopt(Decision before) {
        rollout.finish(programs.of(topology, unusable, decision, present(before.portNumbers())), Stage.CHANGE);
        rollout.finish(programs.of(topology, unusable, decision, present(decision.portNumbers())), Stage.REMOVE);
        avoided = AvoidedLinks.settled(topology, unusable);
    }

    /** Names of the ports each switch has of those it must have, if it was given those of these numbers. */
    private SortedMap<String, Set<String>> present(PortNumbers given) {
        SortedMap<String, Set<String>> present = new TreeMap<>();
        for (String name : topology.roles().keySet()) {
            SortedMap<String, Integer> wanted = decision.portNumbers().of(name);
            SwitchView view = start.switches().getOrDefault(name, SwitchView.UNSEEN);
            Set<String> there = new HashSet<>(view.present(wanted));
            if (view.ovsdb() || !view.seen()) {
                given.of(name).forEach((port, number) -> {
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

    Topology topology() {
        return topology;
    }

    Decision decision() {
        return decision;
    }

    UnusableLinks unusable() {
        return unusable;
    }

    SortedMap<String, Program> programs() {
        return rollout.installed();
    }

    int messages() {
        return rollout.messages();
    }

    int messages(String switchName) {
        return rollout.messages(switchName);
    }
}
