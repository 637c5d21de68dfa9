package org.daqfabric.impl.engine.whatif;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntBiFunction;
import org.daqfabric.api.placement.Capacity;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.plan.Failures;
import org.daqfabric.api.plan.Failures.Failure;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.capacity.Capacities;
import org.daqfabric.impl.engine.capacity.Loads;
import org.daqfabric.impl.engine.place.Placer;
import org.daqfabric.impl.engine.topology.Segment;
import org.daqfabric.impl.engine.topology.Topology;

/** Fails each usable link and each switch with such links, one at a time, and repairs the placement. */
public final class SingleFailures {
    private static final Comparator<Failure> WORST_FIRST = Comparator
        .<Failure>comparingInt(failure -> -failure.cutOffDcms().size() - failure.cutOffRos().size()
            - failure.cutOffFlows().size())
        .thenComparingDouble(Failure::bandwidth).thenComparingInt(failure -> -failure.movedDcms())
        .thenComparing(failure -> failure.link().isPresent()).thenComparing(Failure::switchName)
        .thenComparing(failure -> failure.link().map(Link::end).map(PortId::port).orElse(""));

    private final Topology topology;
    private final Topology weights;
    private final UnusableLinks unusable;
    private final Placement placement;
    private final ToIntBiFunction<Placement, Placement> moves;
    private final double nominal;

    /**
     * Prepares a report.
     *
     * @param weights the same fabric with the weights to place by
     * @param moves counts the DCMs that move from one placement to another
     */
    public SingleFailures(Topology topology, Topology weights, UnusableLinks unusable, Placement placement,
            ToIntBiFunction<Placement, Placement> moves) {
        this.topology = topology;
        this.weights = weights;
        this.unusable = unusable;
        this.placement = placement;
        this.moves = moves;
        nominal = Capacities.nominal(topology);
    }

    /** The report. */
    public Failures report() {
        List<Failure> failures = new ArrayList<>();
        for (Link link : topology.spec().links()) {
            if (!topology.drained(link) && !unusable.down().contains(link.end())) {
                failures.add(failure(Optional.of(link), link.end().switchName(), Set.of(link.end())));
            }
        }
        for (String name : topology.roles().keySet()) {
            Set<PortId> links = new HashSet<>();
            topology.segments(name).stream().filter(segment -> topology.usable(segment, unusable)).map(Segment::id)
                .forEach(links::add);
            if (!links.isEmpty()) {
                failures.add(failure(Optional.empty(), name, links));
            }
        }
        failures.sort(WORST_FIRST);
        return new Failures(Loads.of(topology, unusable, placement).bandwidth(), failures);
    }

    private Failure failure(Optional<Link> link, String switchName, Set<PortId> failing) {
        Set<PortId> down = new HashSet<>(unusable.down());
        down.addAll(failing);
        UnusableLinks failed = new UnusableLinks(down);
        Placement repaired = Placer.outline(weights, failed, placement);
        Capacity left = Capacities.capacity(Loads.of(topology, failed, repaired), nominal);
        Reachability reach = new Reachability(topology, failed);
        return new Failure(link, switchName, left.bandwidth(), left.utilisation(),
            moves.applyAsInt(placement, repaired), reach.cutOffDcms(), reach.cutOffRos(),
            reach.cutOffFlows());
    }
}
