package org.daqfabric.impl.engine.capacity;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.impl.engine.routing.Routing;
import org.daqfabric.impl.engine.routing.UsableFabric;
import org.daqfabric.impl.engine.topology.FlowPair;
import org.daqfabric.impl.engine.topology.Segment;
import org.daqfabric.impl.engine.topology.Topology;

/** What the flows of other hosts bring to links, found by following each pair of a sender and a receiver. */
final class FlowLoads {
    /** A link in one direction. */
    private record Way(Segment segment, boolean upwards) {
    }

    private final Topology topology;
    private final Routing routing;
    private final double delivered;
    private final Map<Way, LinkLoad> loads = new LinkedHashMap<>();

    private FlowLoads(Topology topology, Routing routing, double delivered) {
        this.topology = topology;
        this.routing = routing;
        this.delivered = delivered;
    }

    /**
     * Follows all flows.
     *
     * @param delivered the load of all events together, of which some flows are a share
     */
    static FlowLoads of(Topology topology, UnusableLinks unusable, UsableFabric fabric, Placement placement,
            double delivered) {
        FlowLoads loads = new FlowLoads(topology, new Routing(topology, unusable, placement, fabric), delivered);
        topology.others().pairs().stream().filter(FlowPair::usesLinks).forEach(loads::follow);
        return loads;
    }

    private void follow(FlowPair pair) {
        Optional<Integer> plane = routing.plane(pair.from().edge(), pair.to().address());
        if (plane.isEmpty()) {
            return;
        }
        String first = topology.leaf(plane.get(), pair.from().pod());
        String last = topology.leaf(plane.get(), pair.to().pod());
        add(pair.from().edge(), first, true, pair);
        routing.spine(plane.get(), pair.from().pod(), pair.to().address()).ifPresent(spine -> {
            String between = topology.spines(plane.get()).get(spine);
            add(first, between, true, pair);
            add(last, between, false, pair);
        });
        add(pair.to().edge(), last, false, pair);
    }

    private void add(String lower, String upper, boolean upwards, FlowPair pair) {
        routing.lane(lower, upper, pair.to().address()).ifPresent(link -> {
            Way way = new Way(link, upwards);
            loads.put(way, plus(loads.getOrDefault(way, new LinkLoad(link, upwards, 0, 0)), pair.share() * delivered,
                pair.rate()));
        });
    }

    private static LinkLoad plus(LinkLoad one, double load, double reserved) {
        return new LinkLoad(one.segment(), one.upwards(), one.load() + load, one.reserved() + reserved);
    }

    /** A link's load with that of the flows. */
    LinkLoad addedTo(LinkLoad link) {
        LinkLoad flows = loads.get(new Way(link.segment(), link.upwards()));
        return flows == null ? link : plus(link, flows.load(), flows.reserved());
    }

    /** The loads of links that are not among some. */
    List<LinkLoad> onOtherLinks(List<LinkLoad> links) {
        Set<Way> known = new HashSet<>();
        links.forEach(link -> known.add(new Way(link.segment(), link.upwards())));
        List<LinkLoad> others = new ArrayList<>();
        loads.forEach((way, load) -> {
            if (!known.contains(way)) {
                others.add(load);
            }
        });
        return others;
    }
}
