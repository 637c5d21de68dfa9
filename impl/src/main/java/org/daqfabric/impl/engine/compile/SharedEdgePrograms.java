package org.daqfabric.impl.engine.compile;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Supplier;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.spec.Address;

/**
 * What edge switches hold for addresses behind other edge switches, compiled once for all edge switches that are alike.
 * Thread-safe. Not used with parallel links, whose lanes differ from switch to switch.
 */
final class SharedEdgePrograms {
    @GuardedBy("this")
    private final Map<Kind, Program> programs = new HashMap<>();
    @GuardedBy("this")
    private final Map<Integer, List<PrefixAggregation.Prefix>> prefixes = new HashMap<>();

    /**
     * All that an edge switch's rules for remote addresses depend on.
     *
     * @param sends whether a ROS is behind it
     * @param builds whether DCMs are behind it
     * @param uplinks by plane, the numbers of the ports of its usable uplinks
     * @param peers addresses that flows lead to from hosts behind it
     */
    record Kind(boolean sends, boolean builds, int pod, List<List<OptionalInt>> uplinks, Set<Address> peers) {
    }

    synchronized Program program(Kind kind, Supplier<Program> compile) {
        return programs.computeIfAbsent(kind, any -> compile.get());
    }

    /**
     * The prefixes that the switches of the ROS of a pod have rules for.
     *
     * @param pod 0 if those of all pods have the same
     */
    synchronized List<PrefixAggregation.Prefix> prefixes(int pod, Supplier<List<PrefixAggregation.Prefix>> choose) {
        return prefixes.computeIfAbsent(pod, any -> choose.get());
    }
}
