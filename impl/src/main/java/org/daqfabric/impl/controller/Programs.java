package org.daqfabric.impl.controller;

import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.placement.FabricView;
import org.daqfabric.api.program.Program;
import org.daqfabric.impl.engine.compile.Compiler;
import org.daqfabric.impl.engine.topology.Topology;

/** The programs of all switches, made anew only where what they are made from has changed. */
final class Programs {
    private final SortedMap<String, Set<String>> ports = new TreeMap<>();
    private final SortedMap<String, Program> programs = new TreeMap<>();
    private Topology topology;
    private FabricView view;
    private Decision decision;
    private Compiler compiler;

    /**
     * The program of every switch.
     *
     * @param present names of the ports each switch has
     */
    SortedMap<String, Program> of(Topology of, FabricView seen, Decision decided,
            SortedMap<String, Set<String>> present) {
        if (of != topology || decided != decision || !seen.equals(view)) {
            topology = of;
            decision = decided;
            view = seen;
            compiler = new Compiler(of, seen, decided.placement(), decided.portNumbers());
            programs.clear();
        }
        programs.keySet().retainAll(present.keySet());
        present.forEach((switchName, names) -> {
            if (!programs.containsKey(switchName) || !names.equals(ports.get(switchName))) {
                programs.put(switchName, compiler.compile(switchName, names));
            }
        });
        ports.clear();
        ports.putAll(present);
        return new TreeMap<>(programs);
    }
}
