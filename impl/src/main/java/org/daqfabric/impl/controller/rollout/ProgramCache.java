package org.daqfabric.impl.controller.rollout;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.program.Program;
import org.daqfabric.impl.async.Parallel;
import org.daqfabric.impl.controller.spi.Decision;
import org.daqfabric.impl.engine.compile.Compiler;
import org.daqfabric.impl.engine.topology.Topology;
import org.eclipse.jdt.annotation.Nullable;

/** The programs of all switches; a program is compiled again only if its inputs have changed. */
public final class ProgramCache {
    private final SortedMap<String, Set<String>> ports = new TreeMap<>();
    private final SortedMap<String, Program> programs = new TreeMap<>();
    /** What the programs were compiled from; null before the first. */
    private @Nullable UnusableLinks unusable;
    private @Nullable Decision decision;
    private @Nullable Topology topology;
    private @Nullable Compiler compiler;

    /** A cache with the same contents, which then changes independently. */
    public ProgramCache copy() {
        ProgramCache copy = new ProgramCache();
        copy.ports.putAll(ports);
        copy.programs.putAll(programs);
        copy.unusable = unusable;
        copy.decision = decision;
        copy.topology = topology;
        copy.compiler = compiler;
        return copy;
    }

    /**
     * Compiles the program of every switch. A program that has not changed is the same object as in the last call; in
     * the others, rules and groups that have not changed are the same objects.
     *
     * @param present names of the ports that each switch has
     */
    public SortedMap<String, Program> compile(Topology newTopology, UnusableLinks newUnusable, Decision newDecision,
            SortedMap<String, Set<String>> present) {
        Set<String> changed = Set.of();
        if (newTopology != topology || newDecision != decision || !newUnusable.equals(unusable)) {
            topology = newTopology;
            decision = newDecision;
            unusable = newUnusable;
            Compiler next = compiler == null
                ? new Compiler(topology, unusable, decision.placement(), decision.portNumbers())
                : compiler.next(topology, unusable, decision.placement(), decision.portNumbers());
            changed = compiler == null ? present.keySet() : next.changedSince(compiler, ports);
            compiler = next;
        }
        programs.keySet().retainAll(present.keySet());
        List<String> stale = new ArrayList<>();
        for (Map.Entry<String, Set<String>> entry : present.entrySet()) {
            String switchName = entry.getKey();
            if (!programs.containsKey(switchName) || changed.contains(switchName)
                    || !entry.getValue().equals(ports.get(switchName))) {
                stale.add(switchName);
            }
        }
        List<Program> compiled = Parallel.map(stale, switchName -> compiler.compile(switchName, present.get(switchName),
            programs.getOrDefault(switchName, Program.EMPTY)));
        for (int each = 0; each < compiled.size(); each++) {
            programs.put(stale.get(each), compiled.get(each));
        }
        ports.clear();
        ports.putAll(present);
        return new TreeMap<>(programs);
    }
}
