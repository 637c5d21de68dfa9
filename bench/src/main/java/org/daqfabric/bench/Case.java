package org.daqfabric.bench;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.compile.Compiler;
import org.daqfabric.impl.engine.compile.Daqrings;
import org.daqfabric.impl.engine.compile.PortAllocator;
import org.daqfabric.impl.engine.place.Placer;
import org.daqfabric.impl.engine.place.Scope;
import org.daqfabric.impl.engine.topology.Segment;
import org.daqfabric.impl.engine.topology.Topology;

/** A fabric of some size with everything up, as it is placed and programmed. */
final class Case {
    final Topology topology;
    final Placement placement;
    final PortNumbers numbers;

    private Case(FabricSpec spec) {
        topology = new Topology(spec);
        placement = place();
        numbers = PortAllocator.allocate(topology, PortNumbers.EMPTY,
            Daqrings.needed(topology, placement, topology.roles().keySet()));
    }

    static Case of(FabricSpec spec) {
        return new Case(spec);
    }

    static Case of(String name) {
        return new Case(spec(name));
    }

    /** With rules to prefixes. */
    static Case compressed(String name) {
        return new Case(TestFabrics.compressed(spec(name)));
    }

    static FabricSpec spec(String name) {
        return switch (name) {
            case "prototype" -> TestFabrics.prototype();
            case "fig64" -> TestFabrics.fig64(2, 4, 40);
            case "atlas" -> TestFabrics.atlas();
            case "lhcb" -> TestFabrics.lhcb();
            case "huge" -> TestFabrics.huge();
            default -> throw new IllegalArgumentException("there is no fabric " + name);
        };
    }

    /** The links that fail with the first of something in the first plane, or with all of that plane's spines. */
    static List<Segment> failing(Topology of, String what) {
        int plane = of.planes().get(0);
        String leaf = of.leaves(plane).firstEntry().getValue();
        String spine = of.spines(plane).firstEntry().getValue();
        return switch (what) {
            case "link" -> of.between(leaf, spine);
            case "spine" -> of.segments(spine);
            case "leaf" -> of.segments(leaf);
            case "plane" -> of.leaves(plane).values().stream().flatMap(each -> of.segments(each).stream()).toList();
            default -> throw new IllegalArgumentException("nothing is called " + what);
        };
    }

    /** As it is placed from nothing. */
    Placement place() {
        return Placer.place(topology, UnusableLinks.ALL_UP, Placement.EMPTY, Scope.OPTIMISE);
    }

    /** With the link between the first leaf and the first spine of the first plane down. */
    UnusableLinks linkDown() {
        return down("link");
    }

    /** With all links of the first spine of the first plane down. */
    UnusableLinks spineDown() {
        return down("spine");
    }

    private UnusableLinks down(String what) {
        return new UnusableLinks(failing(topology, what).stream().map(Segment::id).collect(Collectors.toSet()));
    }

    /** As it is placed anew after a failure. */
    Placement repaired(UnusableLinks view) {
        return Placer.place(topology, view, placement, Scope.REPAIR);
    }

    SortedMap<String, Program> programs(UnusableLinks view, Placement placed) {
        Compiler compiler = new Compiler(topology, view, placed, numbers);
        SortedMap<String, Program> programs = new TreeMap<>();
        topology.roles().keySet().forEach(name -> programs.put(name, compiler.compile(name, numbers.of(name).keySet())));
        return programs;
    }
}
