package org.daqfabric.impl.engine.trace;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.program.Action;
import org.daqfabric.api.program.Group;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.program.Rule;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.Dcm;
import org.daqfabric.api.spec.Mac;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.compile.PortAllocator;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Segment;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * Follows packets through programs, computed or read back from switches. It knows OpenFlow and the cabling but no
 * placement, so that it can judge what the compiler made of one.
 */
public final class Trace {
    /** More than any correct path has: edge, leaf, spine, leaf, spine, leaf, edge, and passes through daqrings. */
    private static final int MAX_HOPS = 16;

    private final Map<PortId, PortId> cables = new HashMap<>();
    private final Map<String, Map<Integer, String>> names = new HashMap<>();
    private final Map<String, RuleIndex> indexes = new HashMap<>();
    private final Topology topology;
    private final Map<String, Program> programs;
    private final PortNumbers numbers;
    private final Set<PortId> cut;

    /**
     * Prepares tracing.
     *
     * @param programs by switch name; a switch that is absent drops everything
     * @param cut names of links without carrier, and ports to hosts that carry nothing
     */
    public Trace(Topology topology, PortNumbers numbers, Map<String, Program> programs, Set<PortId> cut) {
        this.topology = topology;
        this.programs = Map.copyOf(programs);
        this.numbers = numbers;
        this.cut = Set.copyOf(cut);
        numbers.numbers().forEach((switchName, ports) -> {
            Map<Integer, String> byNumber = names.computeIfAbsent(switchName, name -> new HashMap<>());
            ports.forEach((port, number) -> byNumber.put(number, port));
        });
        for (String switchName : topology.roles().keySet()) {
            for (Segment segment : topology.segments(switchName)) {
                if (!cut.contains(segment.id())) {
                    cables.put(segment.lower(), segment.upper());
                    cables.put(segment.upper(), segment.lower());
                }
            }
        }
    }

    /** Follows a packet that a host behind an edge switch sends to an address. */
    public PacketPath follow(String edge, Address destination) {
        return follow(edge, Action.LOCAL, destination);
    }

    /** Follows a packet that a host sends to an address. */
    public PacketPath follow(Endpoint host, Address destination) {
        int port = host.port().equals(Dcm.LOCAL) ? Action.LOCAL
            : numbers.of(new PortId(host.edge(), host.port())).orElse(Action.LOCAL);
        if (cut.contains(new PortId(host.edge(), host.port()))) {
            return PacketPath.lost(List.of(), isDown(host));
        }
        return follow(host.edge(), port, Optional.empty(), Optional.of(host.address()), destination);
    }

    /** Follows a packet that a switch receives, such as from a daqring. */
    public PacketPath follow(String first, int port, Address destination) {
        return follow(first, port, Optional.empty(), Optional.empty(), destination);
    }

    /** Follows a packet that a switch receives with an Ethernet destination. */
    public PacketPath follow(String first, int port, Mac arrived, Address destination) {
        return follow(first, port, Optional.of(arrived), Optional.empty(), destination);
    }

    /** Follows a packet; without a source it is one of no flow of control. */
    private PacketPath follow(String first, int port, Optional<Mac> arrived, Optional<Address> source,
            Address destination) {
        List<PacketPath.Hop> hops = new ArrayList<>();
        String at = first;
        int inPort = port;
        Optional<Mac> mac = arrived;
        while (hops.size() < MAX_HOPS) {
            Rule rule = index(at).find(inPort, mac, source, destination).orElse(null);
            if (rule == null) {
                return PacketPath.lost(hops, at + " has no rule for " + destination);
            }
            OptionalInt group = rule.actions().stream().filter(Action.ToGroup.class::isInstance)
                .mapToInt(action -> ((Action.ToGroup) action).id()).findFirst();
            Sent sent = send(at, inPort, mac, rule.actions(), 0).orElse(null);
            if (sent == null) {
                return PacketPath.lost(hops, at + " drops packets to " + destination);
            }
            mac = sent.mac();
            int outPort = sent.port();
            String outName = outPort == Action.LOCAL ? Dcm.LOCAL
                : names.getOrDefault(at, Map.of()).getOrDefault(outPort, "port " + outPort);
            hops.add(new PacketPath.Hop(at, inPort, outPort, outName, rule, group));
            Endpoint host = topology.addresses().get(destination);
            if (host != null && host.edge().equals(at) && host.port().equals(outName)) {
                if (cut.contains(new PortId(at, outName))) {
                    return PacketPath.lost(hops, isDown(host));
                }
                return rule.actions().stream().anyMatch(Action.SetDestinationMac.class::isInstance)
                    ? PacketPath.delivered(hops)
                    : PacketPath.lost(hops, at + " does not write the MAC of " + destination);
            }
            if (PortAllocator.isRing(outPort)) {
                // a packet put into a daqring comes back into the switch by it
                inPort = outPort;
                continue;
            }
            PortId far = cables.get(new PortId(at, outName));
            if (far == null) {
                return PacketPath.lost(hops, at + ":" + outName + " has no link");
            }
            at = far.switchName();
            OptionalInt number = numbers.of(far);
            if (number.isEmpty()) {
                return PacketPath.lost(hops, far + " has no number");
            }
            inPort = number.getAsInt();
        }
        return PacketPath.lost(hops, "the packet loops");
    }

    private String isDown(Endpoint host) {
        return host.port().equals(Dcm.LOCAL)
            ? "the bridge's own port " + topology.switchOf(host.edge()).bridge() + " of " + host.edge() + " is down"
            : "the port " + host.edge() + ":" + host.port() + " is down";
    }

    /** A packet that leaves a switch. */
    private record Sent(int port, Optional<Mac> mac) {
    }

    private Optional<Sent> send(String at, int inPort, Optional<Mac> arrived, List<Action> actions, int depth) {
        Optional<Mac> mac = arrived;
        for (Action action : actions) {
            Optional<Sent> sent = Optional.empty();
            switch (action) {
                // OpenFlow outputs a packet by its in-port only if the action names the in-port
                case Action.Output output -> sent = output.port() == inPort ? Optional.empty()
                    : Optional.of(new Sent(output.port(), mac));
                case Action.OutputInPort unused -> sent = Optional.of(new Sent(inPort, mac));
                case Action.ToGroup group -> sent = throughGroup(at, inPort, mac, group.id(), depth);
                case Action.SetDestinationMac set -> mac = Optional.of(set.mac());
                default -> {
                    // leaves the packet as it is
                }
            }
            if (sent.isPresent()) {
                return sent;
            }
        }
        return Optional.empty();
    }

    private Optional<Sent> throughGroup(String at, int inPort, Optional<Mac> mac, int id, int depth) {
        Group group = programs.getOrDefault(at, Program.EMPTY).groups().get(id);
        if (group == null || depth > 4) {
            return Optional.empty();
        }
        return live(at, group, depth).flatMap(bucket -> send(at, inPort, mac, bucket.actions(), depth + 1));
    }

    private Optional<Group.Bucket> live(String at, Group group, int depth) {
        return group.buckets().stream()
            .filter(bucket -> group.type() != Group.Type.FAST_FAILOVER || isLive(at, bucket, depth)).findFirst();
    }

    private boolean isLive(String at, Group.Bucket bucket, int depth) {
        if (bucket.watchPort().isPresent()) {
            String port = names.getOrDefault(at, Map.of()).get(bucket.watchPort().getAsInt());
            return port != null && cables.containsKey(new PortId(at, port));
        }
        if (bucket.watchGroup().isPresent() && depth <= 4) {
            Group watched = programs.getOrDefault(at, Program.EMPTY).groups().get(bucket.watchGroup().getAsInt());
            return watched != null && live(at, watched, depth + 1).isPresent();
        }
        return false;
    }

    private RuleIndex index(String switchName) {
        return indexes.computeIfAbsent(switchName,
            name -> new RuleIndex(programs.getOrDefault(name, Program.EMPTY)));
    }
}
