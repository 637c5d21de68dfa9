package org.daqfabric.impl.engine.doctor;

import static org.daqfabric.impl.engine.doctor.Diagnosed.alarm;
import static org.daqfabric.impl.engine.doctor.Diagnosed.note;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.daqfabric.api.alarm.AlarmCondition;
import org.daqfabric.api.alarm.AlarmId;
import org.daqfabric.api.alarm.AlarmResource;
import org.daqfabric.api.alarm.AlarmSeverity;
import org.daqfabric.api.alarm.AlarmType;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.state.FabricState.LinkState;
import org.daqfabric.api.state.FabricState.Loss;
import org.daqfabric.api.state.FabricState.SwitchState;
import org.daqfabric.api.state.FabricState.Traffic;

/** Links that lose packets, how many were lost, and what hosts have dropped. */
final class LossDiagnosis {
    private static final int SHOWN = 3;
    /** Of a million packets: TCP makes little progress from here on. */
    private static final int SEVERE = 10_000;
    private static final double PER_CENT = 10_000;

    private LossDiagnosis() {
    }

    /** Whether a link loses packets now. */
    static Optional<Diagnosed> of(AlarmResource resource, Link link, LinkState state) {
        List<String> losses = new ArrayList<>();
        add(losses, link.end(), link.peer(), state.toPeer());
        add(losses, link.peer(), link.end(), state.fromPeer());
        if (losses.isEmpty()) {
            return Optional.empty();
        }
        AlarmSeverity severity = Math.max(rate(state.toPeer()), rate(state.fromPeer())) >= SEVERE
            ? AlarmSeverity.MAJOR : AlarmType.LINK_LOSSY.severity();
        String what = "loses packets " + String.join(", and ", losses);
        return Optional.of(alarm(new AlarmCondition(new AlarmId(resource, AlarmType.LINK_LOSSY), severity, what),
            "link " + link.end() + " - " + link.peer(), what, "see on the switch that sends whether its firewall or a"
                + " queue of Linux drops them; if not, replace the cable or the transceivers; " + (state.heldBack()
                ? "the link is not used as long as the others suffice"
                : "until then 'daqfabric:drain " + link.end() + "', if the other links suffice")));
    }

    private static void add(List<String> losses, PortId from, PortId to, Traffic traffic) {
        if (rate(traffic) > 0) {
            losses.add("from " + from + " to " + to + ", in the order of " + String.format(Locale.ROOT, "%s %%",
                rate(traffic) >= PER_CENT ? String.valueOf((int) (rate(traffic) / PER_CENT))
                    : String.valueOf(rate(traffic) / PER_CENT)));
        }
    }

    private static int rate(Traffic traffic) {
        return traffic.loss().map(Loss::rate).orElse(0);
    }

    /** What links have lost since the controller started, of those that lose nothing now. */
    static Optional<Diagnosed> lost(String fabric, Collection<Link> links, Map<PortId, LinkState> states) {
        List<String> lost = new ArrayList<>();
        links.stream().filter(link -> states.containsKey(link.end())).forEach(link -> {
            LinkState state = states.get(link.end());
            addLost(lost, link.end(), link.peer(), state.toPeer());
            addLost(lost, link.peer(), link.end(), state.fromPeer());
        });
        return lost.isEmpty() ? Optional.empty() : Optional.of(note("links of " + fabric, (lost.size() == 1
            ? "one has" : lost.size() + " have") + " lost packets since the controller started: "
            + String.join(", ", lost.subList(0, Math.min(SHOWN, lost.size()))) + (lost.size() > SHOWN ? ", ..." : ""),
            "nothing needs to be done if that does not go on; daqfabric_link_lost_packets_total tells when it was"));
    }

    private static void addLost(List<String> lost, PortId from, PortId to, Traffic traffic) {
        traffic.loss().filter(loss -> loss.rate() == 0 && loss.lost() > 0).ifPresent(loss ->
            lost.add(loss.lost() + " from " + from + " to " + to));
    }

    /** What hosts have dropped since the controller started, as far as their nodes tell. */
    static Optional<Diagnosed> inHosts(String fabric, Collection<SwitchState> switches) {
        List<String> dropped = switches.stream().flatMap(each -> each.hostDrops().stream().flatMap(drops ->
            Stream.of(dropped(drops.sockets(), "at packet sockets on the host of " + each.name()),
                dropped(drops.backlogs(), "in processors' backlogs on the host of " + each.name())))
            .flatMap(Optional::stream)).toList();
        return dropped.isEmpty() ? Optional.empty() : Optional.of(note("hosts of " + fabric, "the kernel has dropped"
            + " packets before Open vSwitch had them, since the controller started: "
            + String.join(", ", dropped.subList(0, Math.min(SHOWN, dropped.size())))
            + (dropped.size() > SHOWN ? ", ..." : ""), "nothing needs to be done if that does not go on; otherwise give"
            + " the host larger buffers: net.core.rmem_default for packet sockets, before Open vSwitch opens the ports,"
            + " and net.core.netdev_max_backlog for backlogs. daqfabric_port_socket_dropped_packets_total tells at"
            + " which port"));
    }

    private static Optional<String> dropped(long packets, String where) {
        return packets == 0 ? Optional.empty() : Optional.of(packets + " " + where);
    }
}
