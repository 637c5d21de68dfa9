package org.daqfabric.impl.engine;

import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.program.Program;
import org.daqfabric.impl.engine.compile.Compiler;
import org.daqfabric.impl.engine.compile.Daqrings;
import org.daqfabric.impl.engine.compile.PortAllocator;
import org.daqfabric.impl.engine.place.Placer;
import org.daqfabric.impl.engine.place.Scope;
import org.daqfabric.impl.engine.topology.Topology;

/** A fabric as it is placed and compiled for the first time. */
public record CompiledFabric(Topology topology, Placement placement, PortNumbers numbers,
        SortedMap<String, Program> programs) {

    /**
     * Places and compiles.
     *
     * @param ringCapable switches whose Open vSwitch supports daqrings
     */
    public static CompiledFabric of(Topology topology, UnusableLinks unusable, Set<String> ringCapable) {
        Placement placement = Placer.place(topology, unusable, Placement.EMPTY, Scope.OPTIMISE);
        PortNumbers numbers = PortAllocator.allocate(topology, PortNumbers.EMPTY,
            Daqrings.needed(topology, placement, ringCapable));
        Compiler compiler = new Compiler(topology, unusable, placement, numbers);
        SortedMap<String, Program> programs = new TreeMap<>();
        topology.roles().keySet().forEach(name ->
            programs.put(name, compiler.compile(name, numbers.of(name).keySet())));
        return new CompiledFabric(topology, placement, numbers, programs);
    }
}
