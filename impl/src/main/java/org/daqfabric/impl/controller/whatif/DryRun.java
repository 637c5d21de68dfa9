package org.daqfabric.impl.controller.whatif;

import java.util.HashSet;
import java.util.Optional;
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
 * Simulates the event loop of a fabric for a change or failure without side effects: the same decisions, programs and
 * messages, by the rules of {@code engine.rollout}. What is concurrent in a network has a fixed order here: a placement
 * is stored before any switch confirms anything; new ports exist when the switches have installed all that does not
 * need them, which makes no difference unless links are parallel; and all new links come up together.
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
     * Begins with the present state of a fabric.
     *
     * @param failing switches that will fail; nothing is sent to them
     */
    DryRun(Snapshot start, Set<String> failing) {
        this.start = start;
        topology = start.topology();
        decision = start.decision();
        unusable = start.unusable();
        avoided = start.avoided();
        Set<String> unreachable = new HashSet<>(failing);
        start.switches().forEach((name, view) -> {
            if (view.everOpenflow() && !view.openflow()) {
                unreachable.add(name);
            }
        });
        rollout = new RolloutSimulation(start.programs(), unreachable);
    }

    /** Simulates the whole question: first the change, then the failures. */
    static DryRun of(Snapshot start, Set<String> failing) {
        DryRun run = new DryRun(start, failing);
        if (start.next() != start.topology()) {
            run.configure(start.next(), start.changed());
        }
        run.useLinks(start.proven());
        run.useLinks(start.failed());
        return run;
    }

    /** Simulates a new configuration. */
    void configure(Topology next, UnusableLinks now) {
        final Decision before = decision;
        topology = next;
        unusable = now;
        decision = decide(!next.spec().equals(start.topology().spec()), false);
        adopt(before);
    }

    /** Simulates a change of the usable links. */
    void useLinks(UnusableLinks now) {
        if (now.equals(unusable)) {
            return;
        }
        final UnusableLinks used = unusable;
        unusable = now;
        Optional<Decision> spines = used.down().containsAll(now.down()) ? Optional.empty() : firstStep(now);
        final var desired = begin(now, spines.orElse(decision));
        avoided = avoided.during(topology, now);
        // after the first step of a repair the placement is decided as if there had been none
        spines.ifPresent(first -> rollout.finish(desired, Stage.CHANGE));
        Decision before = decision;
        decision = decide(false, Replan.linksBack(used, now));
        adopt(before);
    }

    /** Simulates the first step of a repair alone, and goes back to before it. */
    void discardFirstStep(UnusableLinks now) {
        firstStep(now).ifPresent(first -> {
            rollout.finish(begin(now, first), Stage.CHANGE);
            rollout.finish(programs.compile(topology, unusable, decision, present(decision.portNumbers())),
                Stage.REMOVE);
        });
    }

    private Optional<Decision> firstStep(UnusableLinks now) {
        return Planner.repairSpines(start.weighted(topology), now, decision);
    }

    /** What the switches are to have; the first batch is sent. */
    private SortedMap<String, Program> begin(UnusableLinks now, Decision inForce) {
        var desired = programs.compile(topology, now, inForce, present(decision.portNumbers()));
        rollout.begin(desired, avoided.order(topology, now));
        return desired;
    }

    private Decision decide(boolean reconfigured, boolean linksBack) {
        SortedMap<String, SortedMap<String, Integer>> given = new TreeMap<>();
        start.given().numbers().forEach((name, ports) -> given.put(name, new TreeMap<>(ports)));
        decision.portNumbers().numbers().forEach((name, ports) ->
            given.computeIfAbsent(name, key -> new TreeMap<>()).putAll(ports));
        Replan reason = new Replan(false, reconfigured, linksBack, false,
            start.directive().allowsOnlyRepairs(topology));
        return Planner.decide(topology, start.weighted(topology), unusable, decision, new PortNumbers(given),
            reason.scope(), start.ringCapable());
    }

    private void adopt(Decision before) {
        rollout.finish(programs.compile(topology, unusable, decision, present(before.portNumbers())), Stage.CHANGE);
        rollout.finish(programs.compile(topology, unusable, decision, present(decision.portNumbers())), Stage.REMOVE);
        avoided = AvoidedLinks.settled(topology, unusable);
    }

    /** Names of the ports that each switch has of those it must have, once the ports with these numbers are created. */
    private SortedMap<String, Set<String>> present(PortNumbers given) {
        SortedMap<String, Set<String>> present = new TreeMap<>();
        for (String name : topology.roles().keySet()) {
            SortedMap<String, Integer> desired = decision.portNumbers().of(name);
            SwitchView view = start.switches().getOrDefault(name, SwitchView.UNKNOWN);
            Set<String> existing = new HashSet<>(view.present(desired));
            if (view.ovsdb() || !view.everOvsdb()) {
                given.of(name).forEach((port, number) -> {
                    boolean isNew = !number.equals(start.decision().portNumbers().of(name).get(port));
                    if (isNew && number.equals(desired.get(port))) {
                        existing.add(port);
                    }
                });
            }
            present.put(name, existing);
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
