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

/** The programs of all switches, made anew only where what they are made from has changed. */
public final class ProgramCache {
    private final SortedMap<String, Set<String>> ports = new TreeMap<>();
    private final SortedMap<String, Program> programs = new TreeMap<>();
    private UnusableLinks view;
    private Decision decision;
    private Topology topology;
    private Compiler compiler;

    /** The same, to go on from. */
    public ProgramCache copy() {
        ProgramCache copy = new ProgramCache();
        copy.ports.putAll(ports);
        copy.programs.putAll(programs);
        copy.view = view;
        copy.decision = decision;
        copy.topology = topology;
        copy.compiler = compiler;
        return copy;
    }

    /**
     * The program of every switch. One that has not changed is the same object as the time before, and what has not
     * changed in the others are the same rules and groups.
     *
     * @param present names of the ports each switch has
     */
    public SortedMap<String, Program> of(Topology of, UnusableLinks seen, Decision decided,
            SortedMap<String, Set<String>> present) {
        Set<String> touched = Set.of();
        if (of != topology || decided != decision || !seen.equals(view)) {
            topology = of;
            decision = decided;
            view = seen;
            Compiler next = compiler == null ? new Compiler(of, seen, decided.placement(), decided.portNumbers())
                : compiler.next(of, seen, decided.placement(), decided.portNumbers());
            touched = compiler == null ? present.keySet() : next.changedSince(compiler, ports);
            compiler = next;
        }
        programs.keySet().retainAll(present.keySet());
        List<String> stale = new ArrayList<>();
        for (Map.Entry<String, Set<String>> entry : present.entrySet()) {
            String switchName = entry.getKey();
            if (!programs.containsKey(switchName) || touched.contains(switchName)
                    || !entry.getValue().equals(ports.get(switchName))) {
                stale.add(switchName);
            }
        }
        List<Program> made = Parallel.map(stale, switchName -> compiler.compile(switchName, present.get(switchName),
            programs.getOrDefault(switchName, Program.EMPTY)));
        for (int each = 0; each < made.size(); each++) {
            programs.put(stale.get(each), made.get(each));
        }
        ports.clear();
        ports.putAll(present);
        return new TreeMap<>(programs);
    }
}
