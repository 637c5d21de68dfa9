package org.daqfabric.impl.controller;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.plan.Traced;
import org.daqfabric.api.plan.Traced.Hop;
import org.daqfabric.api.plan.Traced.Hops;
import org.daqfabric.api.plan.Traced.Way;
import org.daqfabric.api.program.Action;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.spec.Dcm;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.compile.Daqrings;
import org.daqfabric.impl.engine.planning.RefusedException;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Topology;
import org.daqfabric.impl.engine.trace.Path;
import org.daqfabric.impl.engine.trace.Trace;
import org.daqfabric.impl.engine.trace.Words;
import org.daqfabric.impl.engine.whatif.Question;

/** The ways of packets between a ROS and a DCM, now and with failures. */
final class Ways {
    private final Topology topology;
    private final Endpoint ros;
    private final Endpoint dcm;
    private final Map<String, String> rings;

    private Ways(Topology topology, String ros, String dcm) {
        this.topology = topology;
        this.ros = named(topology, Endpoint.Kind.ROS, ros);
        this.dcm = named(topology, Endpoint.Kind.DCM, dcm);
        rings = topology.endpoints().values().stream().filter(Endpoint::isDcm)
            .collect(Collectors.toMap(host -> Daqrings.portName(host.address()), Endpoint::name));
    }

    /**
     * Follows packets each way.
     *
     * @throws RefusedException if the fabric has no such ROS or DCM
     */
    static Traced of(Snapshot now, Question asked, String ros, String dcm) {
        Ways ways = new Ways(now.topology(), ros, dcm);
        PortNumbers numbers = now.decision().portNumbers();
        Way way = ways.way(numbers, now.programs(), now.dead());
        if (asked.links().isEmpty() && asked.switches().isEmpty()) {
            return new Traced(way, Optional.empty(), Optional.empty());
        }
        Set<PortId> dead = new HashSet<>(now.dead());
        dead.addAll(asked.links());
        DryRun repaired = DryRun.of(now, asked.switches());
        return new Traced(way, Optional.of(ways.way(numbers, now.programs(), dead)),
            Optional.of(ways.way(repaired.decision().portNumbers(), repaired.programs(), dead)));
    }

    private static Endpoint named(Topology topology, Endpoint.Kind kind, String name) {
        List<Endpoint> all = topology.endpoints().values().stream().filter(host -> host.kind() == kind).toList();
        String leaf = kind == Endpoint.Kind.DCM ? "dcm" : "ros";
        return all.stream().filter(host -> host.name().equals(name)).findFirst().orElseThrow(() ->
            new RefusedException(leaf, "fabric " + topology.spec().name() + " has no "
                + (kind == Endpoint.Kind.DCM ? "DCM " : "ROS ") + name + "; it has "
                + Question.list(all.stream().map(Endpoint::name).toList())));
    }

    private Way way(PortNumbers numbers, Map<String, Program> programs, Set<PortId> cut) {
        Trace trace = new Trace(topology, numbers, programs, cut);
        return new Way(hops(numbers, trace.follow(ros.edge(), dcm.address())),
            hops(numbers, trace.follow(dcm.edge(), ros.address())));
    }

    private Hops hops(PortNumbers numbers, Path path) {
        return new Hops(path.hops().stream().map(hop -> new Hop(hop.switchName(),
            name(numbers, hop.switchName(), hop.inPort()), hop.outName(), Words.of(hop.rule()),
            hop.group().isPresent() ? Words.group(hop.group().getAsInt()) : "",
            rings.getOrDefault(hop.outName(), ""))).toList(), path.problem());
    }

    private static String name(PortNumbers numbers, String switchName, int number) {
        return number == Action.LOCAL ? Dcm.LOCAL
            : numbers.of(switchName).entrySet().stream()
                .filter(entry -> entry.getValue() == number).map(Map.Entry::getKey).findFirst().orElse("port " + number);
    }
}
