package org.daqfabric.impl.engine.run;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.daqfabric.api.alarm.AlarmType;
import org.daqfabric.api.run.Concern;
import org.daqfabric.api.run.Condition;
import org.daqfabric.api.run.Partition;
import org.daqfabric.api.run.Selection;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.state.FabricState.LinkState;
import org.daqfabric.api.state.FabricState.SwitchState;
import org.daqfabric.impl.engine.alarm.PartAlarms;
import org.daqfabric.impl.engine.capacity.Capacities;
import org.daqfabric.impl.engine.capacity.Loads;
import org.daqfabric.impl.engine.routing.Routing;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Topology;
import org.eclipse.jdt.annotation.Nullable;

/**
 * Judges how well a fabric serves a partition. It remembers the results for the last status and computes again only
 * what the new one changes; most changes leave bandwidth and reachability as they are. Used by one thread, for one
 * partition (for several it is correct, but recomputes each time).
 */
public final class Assessment {
    private static final int MAX_CONCERNS = 1000;
    private static final double EPSILON = 1e-9;

    private @Nullable FabricStatus last;
    private @Nullable Selection lastSelection;
    private Topology selected;
    private double nominal;
    private double achievable;
    private List<Concern> cutOff = List.of();

    /** The condition of a partition that is not idle. */
    public Condition of(FabricStatus status, Partition partition) {
        update(status, partition.selection());
        List<Concern> concerns = new ArrayList<>();
        if (achievable < partition.required() * (1 - EPSILON)) {
            concerns.add(new Concern(Concern.Kind.BANDWIDTH, partition.name(), String.format(Locale.ROOT,
                "%.3f Gbps are required and %.3f achievable (%.3f with every link up); the fullest link is %s",
                partition.required(), achievable, nominal, bottleneck(status))));
        }
        concerns.addAll(unknown(status.topology(), partition.selection()));
        concerns.addAll(cutOff);
        concerns.addAll(UnprovenPairs.of(status.state().placements(), partition.selection()));
        concerns.addAll(broken(status, partition.selection()));
        concerns.sort(Comparator.comparing(Concern::kind).thenComparing(Concern::name));
        return new Condition(achievable, nominal, concerns.subList(0, Math.min(MAX_CONCERNS, concerns.size())));
    }

    private void update(FabricStatus status, Selection selection) {
        boolean same = last != null && status.topology() == last.topology() && selection.equals(lastSelection);
        if (!same) {
            selected = SelectedFabric.of(status.topology(), Optional.of(selection));
            nominal = Capacities.nominal(selected);
        }
        if (!same || !status.unusable().equals(last.unusable()) || status.placement() != last.placement()
                || !status.state().cutOff().equals(last.state().cutOff())) {
            achievable = Loads.of(selected, status.unusable(), status.placement()).bandwidth();
            cutOff = PartitionReach.cutOff(status.topology(), selection,
                new Routing(status.topology(), status.unusable(), status.placement()), status.state().cutOff());
        }
        last = status;
        lastSelection = selection;
    }

    private String bottleneck(FabricStatus status) {
        return Loads.of(selected, status.unusable(), status.placement()).bottleneck()
            .map(Object::toString).orElse("none, as nothing flows");
    }

    /** Selected ROS and DCMs that have left the configuration since. */
    private static List<Concern> unknown(Topology topology, Selection selection) {
        Set<String> ros = new TreeSet<>(selection.ros());
        Set<String> dcms = new TreeSet<>(selection.dcms());
        topology.endpoints().values().forEach(host -> (host.isDcm() ? dcms : ros).remove(host.name()));
        List<Concern> concerns = new ArrayList<>();
        String advice = "it is no longer in the fabric's configuration: disable it, or prepare anew";
        ros.forEach(name -> concerns.add(new Concern(Concern.Kind.ROS, name, advice)));
        dcms.forEach(name -> concerns.add(new Concern(Concern.Kind.DCM, name, advice)));
        return concerns;
    }

    /** Switches and links that the partition needs and that do not work. */
    private static List<Concern> broken(FabricStatus status, Selection selection) {
        PartitionNeeds needs = new PartitionNeeds(status.topology(), selection);
        List<Concern> concerns = new ArrayList<>();
        switches(status, needs).forEach(sw -> {
            String wrong = wrong(sw);
            if (!wrong.isEmpty()) {
                concerns.add(new Concern(Concern.Kind.SWITCH, sw.name(), wrong));
            }
        });
        Map<PortId, LinkState> links = status.state().links().stream()
            .collect(Collectors.toMap(LinkState::end, Function.identity()));
        for (Link link : needs.links()) {
            LinkState known = links.get(link.end());
            String wrong = known == null ? "" : wrong(known);
            if (!wrong.isEmpty()) {
                concerns.add(new Concern(Concern.Kind.LINK, link.end().toString(),
                    "to " + link.peer() + " " + wrong + behind(status.topology(), link, selection)));
            }
        }
        return concerns;
    }

    private static List<SwitchState> switches(FabricStatus status, PartitionNeeds needs) {
        return status.state().switches().stream().filter(sw -> needs.switches().contains(sw.name())).toList();
    }

    private static String wrong(SwitchState sw) {
        Set<AlarmType> wrong = PartAlarms.of(sw);
        String advice = "; see that Open vSwitch runs on it and reaches the controller, or drain it";
        String doubt = sw.inDoubt() ? ", and may hold nothing" : "";
        return wrong.contains(AlarmType.SWITCH_ERROR) ? sw.lastError()
            : wrong.contains(AlarmType.SWITCH_AWAY) ? "not connected by OVSDB" + doubt + advice
            : wrong.contains(AlarmType.SWITCH_WITHOUT_OPENFLOW) ? "not connected by OpenFlow" + doubt + advice : "";
    }

    private static String wrong(LinkState link) {
        return PartAlarms.of(link).map(type -> switch (type) {
            case LINK_DOWN -> "is down: repair it or drain it";
            case LINK_MISCABLED -> "is miscabled, it leads to "
                + link.seenPeer().map(PortId::toString).orElse("elsewhere") + ": repair it or drain it";
            default -> link.losesPackets() ? "loses packets and is not used: replace the cable or the transceivers"
                : "is up again and not used yet: rpc rebalance uses it once no run goes on";
        }).orElse("");
    }

    /** The selected ROS and DCMs behind an edge switch at either end of a link. */
    private static String behind(Topology topology, Link link, Selection selection) {
        String hosts = List.of(link.end(), link.peer()).stream()
            .flatMap(port -> topology.edges().getOrDefault(port.switchName(), List.of()).stream())
            .filter(host -> PartitionNeeds.takesPart(host, selection)).map(Endpoint::name).limit(8)
            .collect(Collectors.joining(", "));
        return hosts.isEmpty() ? "" : "; behind it: " + hosts;
    }

    /** How many of the switches that a partition needs have confirmed their programs. */
    public static Progress progress(FabricStatus status, Selection selection) {
        List<SwitchState> needed = switches(status, new PartitionNeeds(status.topology(), selection));
        List<String> late = needed.stream().filter(sw -> sw.openflowConnected() && sw.generation().isEmpty())
            .map(SwitchState::name).toList();
        List<String> away = needed.stream().filter(sw -> !sw.openflowConnected()).map(SwitchState::name).toList();
        return new Progress(needed.size(), late, away);
    }

    /**
     * How far the switches have come.
     *
     * @param needed number of switches needed
     * @param late names of those that are connected and have not confirmed
     * @param away names of those that are not connected
     */
    public record Progress(int needed, List<String> late, List<String> away) {
        /** 0 to 100. */
        public int percent() {
            return needed == 0 ? 100 : 100 * (needed - late.size() - away.size()) / needed;
        }
    }
}
