package org.daqfabric.impl.engine.doctor;


import static org.daqfabric.impl.engine.doctor.Diagnosed.alarm;
import static org.daqfabric.impl.engine.doctor.Diagnosed.alarms;
import static org.daqfabric.impl.engine.doctor.Diagnosed.note;
import static org.daqfabric.impl.engine.doctor.Diagnosed.ok;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.daqfabric.api.alarm.AlarmCondition;
import org.daqfabric.api.alarm.AlarmResource;
import org.daqfabric.api.alarm.AlarmType;
import org.daqfabric.api.spec.AdminState;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.state.FabricState.LinkState;
import org.daqfabric.api.state.FabricState.OperState;
import org.daqfabric.api.state.FabricState.Silence;
import org.daqfabric.api.state.FabricState.SwitchState;
import org.daqfabric.api.state.PortBit;
import org.daqfabric.api.state.PortState;
import org.daqfabric.impl.engine.alarm.PartAlarms;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Bfd;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.ConfiguredFabric;

/** Cables in wrong ports, links that carry nothing, and why. */
final class LinkDiagnosis {
    private static final String UP = "up";

    private final Map<PortId, Bfd> bfd;
    private final ConfiguredFabric fabric;
    private final Map<PortId, Link> links = new TreeMap<>();
    private final Map<PortId, LinkState> states = new HashMap<>();
    /** Those whose device somebody has taken down. */
    private final Set<PortId> offPorts = new TreeSet<>();
    /** Those that have left the datapath of their switch. */
    private final Set<PortId> unlisted = new TreeSet<>();
    private final Set<String> disconnected = new TreeSet<>();
    private final List<Diagnosed> found = new ArrayList<>();

    private LinkDiagnosis(DiagnosisInput input, ConfiguredFabric fabric) {
        this.bfd = input.bfd();
        this.fabric = fabric;
        fabric.spec().links().forEach(link -> links.put(link.end(), link));
        fabric.state().ifPresent(state -> {
            state.links().forEach(each -> states.put(each.end(), each));
            state.ports().stream().filter(each -> each.bits().contains(PortBit.DOWN)).map(PortState::port)
                .forEach(offPorts::add);
            state.ports().stream().filter(PortState::unlisted).map(PortState::port).forEach(unlisted::add);
            state.switches().stream().filter(each -> !each.openflowConnected() || !each.ovsdbConnected())
                .map(SwitchState::name).forEach(disconnected::add);
        });
    }

    static List<Diagnosed> of(DiagnosisInput input) {
        return input.fabrics().stream().filter(fabric -> fabric.state().isPresent())
            .flatMap(fabric -> new LinkDiagnosis(input, fabric).check().stream()).toList();
    }

    private List<Diagnosed> check() {
        Set<PortId> done = new TreeSet<>();
        for (Link link : links.values()) {
            LinkState state = states.get(link.end());
            if (state != null && !done.contains(link.end())) {
                check(link, state, done);
                LossDiagnosis.of(resource(link), link, state).ifPresent(found::add);
            }
        }
        LossDiagnosis.lost(fabric.spec().name(), links.values(), states).ifPresent(found::add);
        fabric.state().flatMap(state -> LossDiagnosis.inHosts(fabric.spec().name(), state.switches()))
            .ifPresent(found::add);
        long unknown = links.keySet().stream().map(states::get)
            .filter(state -> state != null && state.operState() == OperState.UNKNOWN).count();
        if (unknown > 0) {
            found.add(note("links of " + fabric.spec().name(), unknown + " of " + links.size() + " are not known",
                "no switch has reported an end of them since the controller started, or one may hold nothing: see the"
                    + " switches"));
        }
        if (found.isEmpty()) {
            found.add(ok("links of " + fabric.spec().name(), "all " + links.size() + " up"));
        }
        return found;
    }

    private void check(Link link, LinkState state, Set<PortId> done) {
        String subject = "link " + link.end() + " - " + link.peer();
        PartAlarms.of(state).ifPresentOrElse(type -> found.add(switch (type) {
            case LINK_DOWN -> state.silent().isAny() ? silent(subject, link, state.silent()) : down(subject, link);
            case LINK_MISCABLED -> miscabled(subject, link, state, done);
            default -> state.losesPackets()
                ? alarm(type, resource(link), subject, "is up and not used: it loses packets, and others suffice",
                    "see what it says of its losses; it is used again when it loses none, as policy return says")
                : alarm(type, resource(link), subject, "is up and not used: it failed again and again, or the policy"
                    + " says so", "replace the cable if it failed; daqfabric:rebalance takes it into use at once");
        }), () -> {
            if (link.adminState() == AdminState.DRAINED) {
                found.add(note(subject, "is drained", "daqfabric:undrain " + link.end() + " takes it back into use"));
            }
        });
    }

    private AlarmResource resource(Link link) {
        return AlarmResource.link(fabric.spec().name(), link.end());
    }

    private Diagnosed miscabled(String subject, Link link, LinkState state, Set<PortId> done) {
        Optional<Link> swapped = state.seenPeer().flatMap(seen -> links.values().stream().filter(other ->
            other.peer().equals(seen) && states.containsKey(other.end())
                && PartAlarms.of(states.get(other.end())).equals(Optional.of(AlarmType.LINK_MISCABLED))
                && states.get(other.end()).seenPeer().equals(Optional.of(link.peer()))).findFirst());
        if (swapped.isPresent() && !swapped.get().equals(link)) {
            done.add(swapped.get().end());
            Link other = swapped.get();
            return alarms(List.of(
                AlarmCondition.of(AlarmType.LINK_MISCABLED, resource(link), sees(link, state)),
                AlarmCondition.of(AlarmType.LINK_MISCABLED, resource(other), sees(other, states.get(other.end())))),
                subject, "its cable and that of link " + other.end() + " - " + other.peer()
                + " are exchanged: " + link.end() + " sees " + swapped.get().peer() + ", and " + swapped.get().end()
                + " sees " + link.peer(), "exchange the plugs in " + link.peer() + " and " + swapped.get().peer()
                + ", or correct the description");
        }
        String sees = sees(link, state);
        return alarm(AlarmCondition.of(AlarmType.LINK_MISCABLED, resource(link), sees), subject,
            "is cabled otherwise: " + sees, "put the cable from " + link.end() + " into "
            + link.peer() + ", or correct the description");
    }

    private static String sees(Link link, LinkState state) {
        return state.seenPeer().filter(seen -> !seen.equals(link.peer()))
            .map(seen -> link.end() + " sees " + seen + ", expected " + link.peer())
            .orElse(link.peer() + " sees another port than " + link.end());
    }

    /** Both ends report the link as up, and BFD, which passes by no rule, may be up as well. */
    private Diagnosed silent(String subject, Link link, Silence silent) {
        String from = silent.toPeer() ? silent.fromPeer() ? "either way" : "from " + link.end() + " to " + link.peer()
            : "from " + link.peer() + " to " + link.end();
        return alarm(AlarmCondition.of(AlarmType.LINK_DOWN, resource(link), "is up, and no packets pass " + from),
            subject, "is up, and no packets pass " + from, "see what stops packets there: 'ovs-ofctl -O OpenFlow13"
            + " show' and 'ovs-vsctl list port' of both ports, and 'nft list ruleset' and 'tc -s qdisc' on both nodes;"
            + " it is used again when packets pass");
    }

    private Diagnosed down(String subject, Link link) {
        List<String> missing = List.of(link.end(), link.peer()).stream().map(PortId::switchName)
            .filter(disconnected::contains).distinct().toList();
        AlarmCondition condition = AlarmCondition.of(AlarmType.LINK_DOWN, resource(link), "is down");
        if (!missing.isEmpty()) {
            String switches = String.join(" and ", missing);
            return alarm(condition, subject, "is down, or its state is unknown, without switch " + switches,
                "see what is said of " + switches);
        }
        Optional<PortId> left = List.of(link.end(), link.peer()).stream().filter(unlisted::contains).findFirst();
        if (left.isPresent()) {
            return alarm(condition, subject, "is down: " + left.get() + " has left the datapath of its Open vSwitch",
                "see what is said of port " + left.get());
        }
        Optional<PortId> takenDown = List.of(link.end(), link.peer()).stream().filter(offPorts::contains).findFirst();
        if (takenDown.isPresent()) {
            PortId port = takenDown.get();
            return alarm(condition, subject, "is down: " + port + " was taken down on its node, or renamed",
                "'ip link set " + port.port() + " up' on the node of " + port.switchName() + " brings it back; if there"
                + " is no such device, 'ip link' lists it by another name: 'ip link set NAME down' and 'ip link set"
                + " NAME name " + port.port() + "' come before");
        }
        Bfd here = bfd.get(link.end());
        Bfd there = bfd.get(link.peer());
        if (here == null && there == null) {
            return alarm(condition, subject, "is down: no carrier, a port that cannot be made or is off"
                + (fabric.spec().policy().protection().bfd() ? ""
                    : ", or frames of the controller have not arrived at both ends since it was down"),
                "check the cable and transceivers, and 'ip link' on both nodes");
        }
        return alarm(condition, subject,
            "is down: BFD at " + words(link.end(), here) + ", at " + words(link.peer(), there),
            oneWay(link, here, there).orElse("check the cable and what is between the two; 'ovs-appctl bfd/show' on"
                + " both nodes tells more"));
    }

    private static String words(PortId port, Bfd bfd) {
        return bfd == null ? port + " is not running"
            : port + " is " + bfd.state() + (bfd.diagnostic().isEmpty() ? "" : " (" + bfd.diagnostic() + ")");
    }

    /** The end that receives the packets of the other is in a higher state than the end that does not. */
    private static Optional<String> oneWay(Link link, Bfd here, Bfd there) {
        if (here == null || there == null || here.state().equals(there.state()) || here.state().equals(UP)
                && there.state().equals(UP)) {
            return Optional.empty();
        }
        boolean hereReceives = rank(here) > rank(there);
        return Optional.of("packets arrive one way only: what " + (hereReceives ? link.peer() : link.end())
            + " sends arrives, what " + (hereReceives ? link.end() : link.peer())
            + " sends does not; replace the cable or the transceivers");
    }

    private static int rank(Bfd bfd) {
        return switch (bfd.state()) {
            case UP -> 2;
            case "init" -> 1;
            default -> 0;
        };
    }
}
