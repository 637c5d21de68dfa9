package org.daqfabric.impl.controller.whatif;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.plan.TraceResult;
import org.daqfabric.api.plan.TraceResult.Hop;
import org.daqfabric.api.plan.TraceResult.Hops;
import org.daqfabric.api.plan.TraceResult.Way;
import org.daqfabric.api.program.Action;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.spec.Dcm;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.check.InvalidInputException;
import org.daqfabric.impl.engine.compile.Daqrings;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Topology;
import org.daqfabric.impl.engine.trace.PacketPath;
import org.daqfabric.impl.engine.trace.RuleText;
import org.daqfabric.impl.engine.trace.Trace;
import org.daqfabric.impl.engine.whatif.WhatIfQuestion;

/** Traces the paths of packets between a ROS and a DCM, or other hosts, now and with failures. */
public final class PathTracer {
    private final Topology topology;
    private final Endpoint ros;
    private final Endpoint dcm;
    /** Names of the hosts by their addresses as text. */
    private final Map<String, String> hosts;

    private PathTracer(Topology topology, String ros, String dcm) {
        this.topology = topology;
        this.ros = named(topology, Endpoint.Kind.ROS, ros);
        this.dcm = named(topology, Endpoint.Kind.DCM, dcm);
        hosts = Daqrings.hostNames(topology);
    }

    /**
     * Traces packets in both directions.
     *
     * @throws InvalidInputException if the fabric has no such ROS or DCM
     */
    public static TraceResult of(Snapshot now, WhatIfQuestion asked, String ros, String dcm) {
        PathTracer tracer = new PathTracer(now.topology(), ros, dcm);
        PortNumbers numbers = now.decision().portNumbers();
        Way paths = tracer.paths(numbers, now.programs(), now.dead());
        if (asked.links().isEmpty() && asked.switches().isEmpty()) {
            return new TraceResult(paths, Optional.empty(), Optional.empty());
        }
        Set<PortId> dead = new HashSet<>(now.dead());
        dead.addAll(asked.links());
        DryRun repaired = DryRun.of(now, asked.switches());
        return new TraceResult(paths, Optional.of(tracer.paths(numbers, now.programs(), dead)),
            Optional.of(tracer.paths(repaired.decision().portNumbers(), repaired.programs(), dead)));
    }

    /** Finds a ROS or a DCM of a name, or another host, which may be at both ends. */
    private static Endpoint named(Topology topology, Endpoint.Kind kind, String name) {
        List<Endpoint> all = topology.addresses().values().stream()
            .filter(host -> host.kind() == kind || host.kind() == Endpoint.Kind.HOST).toList();
        String leaf = kind == Endpoint.Kind.DCM ? "dcm" : "ros";
        return all.stream().filter(host -> host.name().equals(name)).findFirst().orElseThrow(() ->
            new InvalidInputException(leaf, "fabric " + topology.spec().name() + " has no "
                + (kind == Endpoint.Kind.DCM ? "DCM " : "ROS ") + name + "; it has "
                + WhatIfQuestion.list(all.stream().map(Endpoint::name).toList())));
    }

    private Way paths(PortNumbers numbers, Map<String, Program> programs, Set<PortId> cut) {
        Trace trace = new Trace(topology, numbers, programs, cut);
        return new Way(hops(numbers, trace.follow(ros, dcm.address())),
            hops(numbers, trace.follow(dcm, ros.address())));
    }

    private Hops hops(PortNumbers numbers, PacketPath path) {
        return new Hops(path.hops().stream().map(hop -> new Hop(hop.switchName(),
            name(numbers, hop.switchName(), hop.inPort()), hop.outName(), RuleText.of(hop.rule()),
            hop.group().isPresent() ? RuleText.group(hop.group().getAsInt()) : "",
            Daqrings.addressOf(hop.outName()).map(hosts::get).orElse(""))).toList(), path.problem());
    }

    private static String name(PortNumbers numbers, String switchName, int number) {
        return number == Action.LOCAL ? Dcm.LOCAL
            : numbers.of(switchName).entrySet().stream()
                .filter(entry -> entry.getValue() == number).map(Map.Entry::getKey).findFirst()
                .orElse("port " + number);
    }
}
