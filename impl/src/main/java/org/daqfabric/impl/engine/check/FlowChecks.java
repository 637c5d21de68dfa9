package org.daqfabric.impl.engine.check;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Flow;
import org.daqfabric.impl.engine.topology.FlowEnds;

/** A flow names two ends that are there, one a host that is neither ROS nor DCM, and an amount. */
final class FlowChecks {
    private final FlowEnds ends;
    private final NodeLocations locations;
    private final Problems problems;

    private FlowChecks(FabricSpec spec, FlowEnds ends, Problems problems) {
        this.ends = ends;
        locations = NodeLocations.of(spec.name());
        this.problems = problems;
    }

    static void check(FabricSpec spec, FlowEnds ends, Problems problems) {
        FlowChecks checks = new FlowChecks(spec, ends, problems);
        Set<String> seen = new HashSet<>();
        for (Flow flow : spec.flows()) {
            if (!seen.add(flow.name())) {
                problems.add(checks.locations.flow(flow), "flow '%s' is declared twice: remove one or give it another "
                    + "name", flow.name());
            }
            checks.flow(flow);
        }
    }

    private void flow(Flow flow) {
        Location at = locations.flow(flow);
        amount(flow, at);
        boolean known = isOne(flow, flow.from(), at.child("from"));
        known &= isOne(flow, flow.to(), at.child("to"));
        if (!known) {
            return;
        }
        if (flow.from().equals(flow.to())) {
            problems.add(at.child("to"), "flow '%s' leads from '%s' to itself: name another host", flow.name(),
                flow.from());
        } else if (!ends.isHost(flow.from()) && !ends.isHost(flow.to())) {
            problems.add(at, "flow '%s' leads from '%s' to '%s', of which none is a host: declare one of them as host "
                + "of a pod, or remove the flow; ROS and DCMs exchange events without a flow", flow.name(),
                flow.from(), flow.to());
        } else {
            kinds(flow, at.child("to"));
        }
    }

    private void kinds(Flow flow, Location location) {
        List<Address> from = ends.of(flow.from());
        List<Address> to = ends.of(flow.to());
        from.stream().filter(one -> to.stream().anyMatch(other -> one.isIpv4() != other.isIpv4())).findFirst()
            .ifPresent(one -> problems.add(location, "flow '%s' leads from '%s' to '%s', of which one has %s addresses "
                + "and the other %s: give both addresses of one kind, or they cannot exchange packets", flow.name(),
                flow.from(), flow.to(), one.isIpv4() ? "IPv4" : "IPv6", one.isIpv4() ? "IPv6" : "IPv4"));
    }

    private boolean isOne(Flow flow, String name, Location location) {
        if (!ends.isKnown(name)) {
            problems.add(location, "flow '%s' names '%s', and no host, ROS, DCM or HLT rack has this name: declare it "
                + "or name another, or all-dcms or all-ros", flow.name(), name);
        } else if (ends.isAmbiguous(name)) {
            problems.add(location, "flow '%s' names '%s', and several of the hosts, ROS, DCMs and HLT racks have this "
                + "name: rename all but one of them", flow.name(), name);
        }
        return ends.isKnown(name) && !ends.isAmbiguous(name);
    }

    private void amount(Flow flow, Location at) {
        boolean byRate = flow.rate() != 0;
        double amount = byRate ? flow.rate() : flow.share();
        double most = byRate ? RangeChecks.MAX : 1;
        if (!(amount > 0 && amount <= most) || byRate && flow.share() != 0) {
            problems.add(at, "flow '%s' has rate %s and share %s: give either a rate above 0 and up to 1000000 Gbps, "
                + "or a share above 0 and up to 1", flow.name(), flow.rate(), flow.share());
        }
    }
}
