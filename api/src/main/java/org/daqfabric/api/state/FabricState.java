package org.daqfabric.api.state;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.daqfabric.api.placement.Capacity;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.PortId;

/**
 * A fabric as it runs, published after every change.
 *
 * @param generation counts the sets of programs made for the fabric since the controller started
 * @param switches ordered by name
 * @param links ordered by {@link Link#end()}
 * @param ports those of links and DCMs, as far as they are known; ordered by switch and port
 * @param placements ordered by DCM name
 * @param spines ordered by plane and id
 * @param daqrings ordered by switch and port
 * @param drops the newest episodes in which daqrings dropped packets, newest first
 * @param unstoredSince since when the placement in force has not been stored; empty if it is
 * @param silentSince since when no packet that proves paths has arrived; empty if some do, or none could be sent
 */
public record FabricState(String fabric, Phase phase, long generation, List<SwitchState> switches,
        List<LinkState> links, List<PortState> ports, List<DcmPlacement> placements, List<SpineLoad> spines,
        List<RingState> daqrings, List<DropEpisode> drops, Capacity capacity, Optional<Repair> lastRepair,
        Optional<Rebalanced> lastRebalanced, Optional<Instant> unstoredSince, Optional<Instant> silentSince) {
    public FabricState {
        switches = List.copyOf(switches);
        links = List.copyOf(links);
        ports = List.copyOf(ports);
        placements = List.copyOf(placements);
        spines = List.copyOf(spines);
        daqrings = List.copyOf(daqrings);
        drops = List.copyOf(drops);
    }

    /** A fabric of which packets that prove paths arrive. */
    public FabricState(String fabric, Phase phase, long generation, List<SwitchState> switches,
            List<LinkState> links, List<PortState> ports, List<DcmPlacement> placements, List<SpineLoad> spines,
            List<RingState> daqrings, List<DropEpisode> drops, Capacity capacity, Optional<Repair> lastRepair,
            Optional<Rebalanced> lastRebalanced, Optional<Instant> unstoredSince) {
        this(fabric, phase, generation, switches, links, ports, placements, spines, daqrings, drops, capacity,
            lastRepair, lastRebalanced, unstoredSince, Optional.empty());
    }

    /** Names of the hosts that are cut off because the port to them is down. */
    public Set<String> cutOff() {
        return ports.stream().flatMap(port -> port.cutOff().stream()).collect(Collectors.toSet());
    }

    public enum Phase {
        /** Some switch has never connected. */
        WAITING,
        /** Switches are being changed. */
        PROGRAMMING,
        /** Every switch confirmed its program and every link is up. */
        CONVERGED,
        /**
         * What can be programmed is confirmed, but a link is down, a switch is not connected, a port failed, or what is
         * in force is not stored.
         */
        DEGRADED
    }

    public enum Role { SPINE, LEAF, ROS, HLT_RACK, BUILDER, HOSTS, SPARE }

    /**
     * One switch.
     *
     * @param inDoubt whether it may hold no rules: while it could not be reached, all its links were down, or no
     *     packets passed through it
     * @param generation the newest generation the switch confirmed by a barrier
     * @param rules how many rules of this application it holds
     * @param daqrings daqrings it holds; empty if its Open vSwitch knows none and it should hold some
     * @param hostDrops empty while its node does not tell
     * @param lastError what went wrong last and what to change; empty once it is repaired
     */
    public record SwitchState(String name, Role role, boolean ovsdbConnected, boolean openflowConnected,
            boolean inDoubt, long datapathId, OptionalLong generation, int rules, int groups, OptionalInt daqrings,
            Optional<HostDrops> hostDrops, String lastError) {
        /** A switch that holds what it was given, and whose node tells nothing of its host. */
        public SwitchState(String name, Role role, boolean ovsdbConnected, boolean openflowConnected, long datapathId,
                OptionalLong generation, int rules, int groups, OptionalInt daqrings, String lastError) {
            this(name, role, ovsdbConnected, openflowConnected, false, datapathId, generation, rules, groups, daqrings,
                Optional.empty(), lastError);
        }
    }

    /**
     * Packets that the kernel of a switch's host has dropped since the controller started, before Open vSwitch had
     * them.
     *
     * @param sockets those that packet sockets of the switch's ports had no room for
     * @param backlogs those that the queues of the host's processors had no room for, on all its interfaces
     */
    public record HostDrops(long sockets, long backlogs) {
        public static final HostDrops NONE = new HostDrops(0, 0);
    }

    public enum OperState {
        UP, DOWN, DRAINED, MISCABLED,
        /** Neither end has been reported since the controller started, or a switch at an end may hold no rules. */
        UNKNOWN
    }

    /**
     * One link.
     *
     * @param seenPeer the port that cabling checks found at the other end
     * @param heldBack whether it is up and not used: it failed repeatedly, it loses packets, or the policy says so
     * @param toPeer what {@code end} sends
     * @param fromPeer what {@code end} receives
     * @param silent in which directions no packets pass, though both ends report the link as up
     */
    public record LinkState(PortId end, OperState operState, Instant since, Optional<PortId> seenPeer,
            boolean heldBack, Traffic toPeer, Traffic fromPeer, Silence silent) {
        /** A link without traffic, of which nothing but its state is known. */
        public LinkState(PortId end, OperState operState, Instant since, Optional<PortId> seenPeer, boolean heldBack) {
            this(end, operState, since, seenPeer, heldBack, Traffic.NONE, Traffic.NONE, Silence.NONE);
        }

        /** Whether it loses some of its packets at present, as far as that is known. */
        public boolean losesPackets() {
            return Stream.of(toPeer, fromPeer).flatMap(way -> way.loss().stream()).anyMatch(loss -> loss.rate() > 0);
        }

        /** The same with other traffic. */
        public LinkState with(Traffic to, Traffic from) {
            return new LinkState(end, operState, since, seenPeer, heldBack, to, from, silent);
        }

        /** The same with other silence. */
        public LinkState with(Silence now) {
            return new LinkState(end, operState, since, seenPeer, heldBack, toPeer, fromPeer, now);
        }
    }

    /**
     * The directions of a link by which no packets pass.
     *
     * @param toPeer what {@code end} sends does not arrive
     * @param fromPeer what its peer sends does not arrive
     */
    public record Silence(boolean toPeer, boolean fromPeer) {
        public static final Silence NONE = new Silence(false, false);

        /** Whether packets are lost in some direction. */
        public boolean isAny() {
            return toPeer || fromPeer;
        }
    }

    /**
     * Packets on a link in one direction.
     *
     * @param planned Gbps of events when the fabric's fullest link is full
     * @param measured Gbps in the last half minute; empty while nothing is known
     * @param loss empty while nothing is known
     */
    public record Traffic(double planned, OptionalDouble measured, Optional<Loss> loss) {
        public static final Traffic NONE = new Traffic(0, OptionalDouble.empty());

        /** Traffic of whose losses nothing is known. */
        public Traffic(double planned, OptionalDouble measured) {
            this(planned, measured, Optional.empty());
        }
    }

    /**
     * Packets that one end of a link sent and the other did not receive.
     *
     * @param rate how many of a million are lost at present, to the order of magnitude; 0 if none are
     * @param lost at least so many since the controller started, as long as the link was up
     */
    public record Loss(int rate, long lost) {
    }

    /**
     * Where a DCM is placed.
     *
     * @param plane primary plane; 0 if it has no path
     * @param backupSpine empty if there is none
     * @param moves how often it changed plane or spine since the controller started
     * @param reachableRos number of ROS with a path to it, not counting what may have lost its rules
     * @param fromPods the pods from which packets take another way, ordered by id
     * @param proof what packets have shown of it
     */
    public record DcmPlacement(String dcm, int plane, int spine, OptionalInt backupSpine, long moves,
            int reachableRos, List<PodPlacement> fromPods, Proof proof) {
        public DcmPlacement {
            fromPods = List.copyOf(fromPods);
        }

        /** The same, with what packets have shown. */
        public DcmPlacement with(Proof shown) {
            return new DcmPlacement(dcm, plane, spine, backupSpine, moves, reachableRos, fromPods, shown);
        }

        /** Of a DCM that packets from all pods reach the same way. */
        public DcmPlacement(String dcm, int plane, int spine, OptionalInt backupSpine, long moves,
                int reachableRos) {
            this(dcm, plane, spine, backupSpine, moves, reachableRos, List.of(), Proof.NONE);
        }
    }

    /**
     * What packets of the controller have shown of a DCM.
     *
     * @param last when the oldest of the newest proofs was sent, from and to each ROS; empty if one was never proven,
     *     or not since it moved
     * @param missed names of the ROS from or to which packets do not arrive, though there is a path
     * @param old names of the ROS whose newest proof is older than is demanded
     */
    public record Proof(Optional<Instant> last, SortedSet<String> missed, SortedSet<String> old) {
        /** Nothing is known. */
        public static final Proof NONE = new Proof(Optional.empty(), Collections.emptySortedSet(),
            Collections.emptySortedSet());

        public Proof {
            missed = Collections.unmodifiableSortedSet(missed);
            old = Collections.unmodifiableSortedSet(old);
        }
    }

    /**
     * The way of packets from one pod to a DCM.
     *
     * @param spine 0 if they need none
     */
    public record PodPlacement(int pod, int plane, int spine) {
    }

    /**
     * One spine.
     *
     * @param dcms DCMs whose primary plane and spine it is
     * @param load load of its fullest link relative to that of the fabric's bottleneck, 0..1
     */
    public record SpineLoad(int plane, int spine, int dcms, double load) {
    }

    /**
     * Counters of a daqring in packets, since its switch created it.
     *
     * @param dcm whose packets it holds: a DCM, or in an edge switch who sends control
     * @param dropped packets that found it full
     * @param occupancy packets in it
     * @param highestOccupancy the most it ever held
     * @param throttledPolls how often packets had to wait for the polling interval
     * @param dropEpisodes in how many episodes it dropped packets
     */
    public record RingState(String switchName, String dcm, long enqueued, long dequeued, long dropped, long occupancy,
            long highestOccupancy, long throttledPolls, long dropEpisodes) {
    }

    /**
     * The last repair of a failure.
     *
     * @param cause what happened, as text
     * @param detected when its first event arrived
     * @param computed when the new programs were ready
     * @param confirmed when the last switch confirmed; empty while it runs
     * @param messages rules and groups sent
     */
    public record Repair(String cause, Instant detected, Instant computed, Optional<Instant> confirmed, int movedDcms,
            int messages) {
    }

    /**
     * The last second step of a repair, which moved DCMs for balance.
     *
     * @param cause what the repair was for, as text
     * @param begun when it was decided, after the first step
     * @param confirmed when the last switch confirmed; empty while it runs
     * @param messages rules and groups sent
     */
    public record Rebalanced(String cause, Instant begun, Optional<Instant> confirmed, int movedDcms, int messages) {
    }
}
