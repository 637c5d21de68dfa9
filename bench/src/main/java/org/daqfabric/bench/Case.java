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

/** A fabric with everything up, its placement, port numbers and programs: what the benchmarks work on. */
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

    /** The same with policy {@code granularity} {@code pod}. */
    static Case byPod(String name) {
        return new Case(TestFabrics.byPod(spec(name)));
    }

    /** The same with rules to prefixes at the switches of ROS. */
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

    /** The links that a failure in the first plane takes down: its first link, those of a spine or leaf, or all. */
    static List<Segment> failing(Topology topology, String failure) {
        int plane = topology.planes().get(0);
        String leaf = topology.leaves(plane).firstEntry().getValue();
        String spine = topology.spines(plane).firstEntry().getValue();
        return switch (failure) {
            case "link" -> topology.between(leaf, spine);
            case "spine" -> topology.segments(spine);
            case "leaf" -> topology.segments(leaf);
            case "plane" -> topology.leaves(plane).values().stream()
                .flatMap(name -> topology.segments(name).stream()).toList();
            default -> throw new IllegalArgumentException("there is no failure " + failure);
        };
    }

    /** The placement from nothing. */
    Placement place() {
        return Placer.place(topology, UnusableLinks.ALL_UP, Placement.EMPTY, Scope.OPTIMISE);
    }

    /** The link between the first leaf and the first spine of the first plane has failed. */
    UnusableLinks linkDown() {
        return down("link");
    }

    /** All links of the first spine of the first plane have failed. */
    UnusableLinks spineDown() {
        return down("spine");
    }

    private UnusableLinks down(String failure) {
        return new UnusableLinks(failing(topology, failure).stream().map(Segment::id).collect(Collectors.toSet()));
    }

    /** The placement after the repair of a failure. */
    Placement repaired(UnusableLinks unusable) {
        return Placer.place(topology, unusable, placement, Scope.REPAIR);
    }

    SortedMap<String, Program> programs(UnusableLinks unusable, Placement placed) {
        Compiler compiler = new Compiler(topology, unusable, placed, numbers);
        SortedMap<String, Program> programs = new TreeMap<>();
        topology.roles().keySet()
            .forEach(name -> programs.put(name, compiler.compile(name, numbers.of(name).keySet())));
        return programs;
    }
}
