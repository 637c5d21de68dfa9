package org.daqfabric.impl.controller;

import java.util.Set;
import java.util.SortedMap;
import org.daqfabric.api.placement.FabricView;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.spec.Link;
import org.daqfabric.impl.engine.diff.Stage;
import org.daqfabric.impl.engine.place.Scope;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * Computes the repairs of failures that have not happened and throws them away. The Java VM compiles code once it has
 * run some hundred times; without this the first real repair after a start would run uncompiled and take several times
 * as long as the next.
 */
final class WarmUp {
    /** Each looks at every switch: in a large fabric few repairs do, and many would keep a processor busy for minutes. */
    private static final int SWITCHES = 1280;
    private static final int FEWEST = 4;

    private WarmUp() {
    }

    /**
     * Computes repairs of single failed links.
     *
     * @param placing the same fabric with the weights to place by
     * @param present names of the ports each switch has
     * @param programs what the switches hold
     * @return number of messages the repairs would have taken; of no interest but that it depends on all of them
     */
    static long run(Topology topology, Topology placing, Decision decision, SortedMap<String, Set<String>> present,
            SortedMap<String, Program> programs, Set<String> ringCapable) {
        long messages = 0;
        Programs made = new Programs();
        made.of(topology, FabricView.ALL_UP, decision, present);
        int repairs = Math.max(FEWEST, SWITCHES / Math.max(1, present.size()));
        for (int repair = 0; repair < repairs && !topology.spec().links().isEmpty(); repair++) {
            Link link = topology.spec().links().get(repair % topology.spec().links().size());
            FabricView view = new FabricView(Set.of(link.end()));
            Decision repaired = Plan.decide(topology, placing, view, decision, decision.portNumbers(), Scope.REPAIR,
                ringCapable);
            SortedMap<String, Program> next = made.of(topology, view, repaired, present);
            for (var entry : next.entrySet()) {
                LastDiff diff = new LastDiff();
                for (Stage stage : Stage.values()) {
                    messages += diff.next(programs.get(entry.getKey()), entry.getValue(), stage).size();
                }
            }
        }
        return messages;
    }
}
