package org.daqfabric.impl.northbound;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Set;
import java.util.SortedSet;
import java.util.stream.Collectors;
import org.daqfabric.api.placement.Capacity;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FabricState.DcmPlacement;
import org.daqfabric.api.state.FabricState.LinkState;
import org.daqfabric.api.state.FabricState.PodPlacement;
import org.daqfabric.api.state.FabricState.Rebalanced;
import org.daqfabric.api.state.FabricState.Repair;
import org.daqfabric.api.state.FabricState.RingState;
import org.daqfabric.api.state.FabricState.SpineLoad;
import org.daqfabric.api.state.FabricState.SwitchState;
import org.daqfabric.api.state.PortState;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Bandwidth;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.DatapathId;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.InterfaceName;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.LinkRate;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Milliseconds;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Name;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.PlaneId;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.PodId;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Rate;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Ratio;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.SpineId;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.State;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.StateBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state.CapacityBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state.Daqring;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state.DaqringBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state.DropEpisode;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state.DropEpisodeBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state.LastRebalanced;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state.LastRebalancedBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state.LastRepair;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state.LastRepairBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state.Link;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state.LinkBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state.Placement;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state.PlacementBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state.Port;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state.PortBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state.ProofsSilent;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state.ProofsSilentBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state.Spine;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state.SpineBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state.Switch;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state.SwitchBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state.Unstored;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state.UnstoredBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state._switch.HostDropsBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state.link.FromPeerBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state.link.ToPeerBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state.placement.FromPod;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state.placement.FromPodBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state.port.Queue;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state.port.QueueBuilder;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.yang.types.rev130715.DateAndTime;
import org.opendaylight.yangtools.binding.util.BindingMap;
import org.opendaylight.yangtools.yang.common.Decimal64;
import org.opendaylight.yangtools.yang.common.Uint16;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.opendaylight.yangtools.yang.common.Uint64;
import org.opendaylight.yangtools.yang.common.Uint8;

/** Parts of a {@link FabricState} as nodes of the state tree. What is unknown is left out. */
final class StateTree {
    private static final DateTimeFormatter TIME =
        DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    /** What the model's link-rate can express, Gbps. */
    private static final double LOWEST_SPEED = 0.001;
    private static final double HIGHEST_SPEED = 1e6;

    private StateTree() {
    }

    /** The leaves of the state itself, without its lists and containers. */
    static StateBuilder leaves(FabricState state) {
        return new StateBuilder()
            .setPhase(State.Phase.ofName(Enums.yang(state.phase())))
            .setGeneration(Uint64.valueOf(state.generation()));
    }

    static ProofsSilent silent(Instant since) {
        return new ProofsSilentBuilder().setSince(time(since)).build();
    }

    static Unstored unstored(Instant since) {
        return new UnstoredBuilder().setSince(time(since)).build();
    }

    static Switch of(SwitchState state) {
        SwitchBuilder builder = new SwitchBuilder()
            .setName(new Name(state.name()))
            .setRole(Switch.Role.ofName(Enums.yang(state.role())))
            .setOvsdbConnected(state.ovsdbConnected())
            .setOpenflowConnected(state.openflowConnected())
            .setDatapathId(new DatapathId("%016x".formatted(state.datapathId())))
            .setRules(Uint32.valueOf(state.rules()))
            .setGroups(Uint32.valueOf(state.groups()))
            .setDaqrings(state.daqrings().isPresent() ? new Switch.Daqrings(Uint32.valueOf(state.daqrings().getAsInt()))
                : new Switch.Daqrings(Switch.Daqrings.Enumeration.Unsupported));
        state.generation().ifPresent(generation -> builder.setGeneration(Uint64.valueOf(generation)));
        if (state.inDoubt()) {
            builder.setInDoubt(true);
        }
        state.hostDrops().ifPresent(drops -> builder.setHostDrops(new HostDropsBuilder()
            .setPacketSockets(Uint64.valueOf(drops.sockets()))
            .setProcessorBacklogs(Uint64.valueOf(drops.backlogs())).build()));
        if (!state.lastError().isEmpty()) {
            builder.setLastError(state.lastError());
        }
        return builder.build();
    }

    static Link of(LinkState state) {
        LinkBuilder builder = new LinkBuilder()
            .setSwitch(new Name(state.end().switchName()))
            .setPort(new InterfaceName(state.end().port()))
            .setOperState(Link.OperState.ofName(Enums.yang(state.operState())))
            .setSince(time(state.since()));
        if (state.heldBack()) {
            builder.setHeldBack(true);
        }
        if (state.silent().toPeer()) {
            builder.setSilentToPeer(true);
        }
        if (state.silent().fromPeer()) {
            builder.setSilentFromPeer(true);
        }
        state.seenPeer().ifPresent(peer -> builder.setSeenPeerSwitch(peer.switchName()).setSeenPeerPort(peer.port()));
        ToPeerBuilder to = new ToPeerBuilder().setPlanned(rate(state.toPeer().planned()));
        state.toPeer().measured().ifPresent(gbps -> to.setMeasured(rate(gbps)));
        state.toPeer().loss().ifPresent(loss ->
            to.setLossRate(Uint32.valueOf(loss.rate())).setLostPackets(Uint64.valueOf(loss.lost())));
        FromPeerBuilder from = new FromPeerBuilder().setPlanned(rate(state.fromPeer().planned()));
        state.fromPeer().measured().ifPresent(gbps -> from.setMeasured(rate(gbps)));
        state.fromPeer().loss().ifPresent(loss ->
            from.setLossRate(Uint32.valueOf(loss.rate())).setLostPackets(Uint64.valueOf(loss.lost())));
        return builder.setToPeer(to.build()).setFromPeer(from.build()).build();
    }

    private static Rate rate(double gbps) {
        return new Rate(decimal(gbps, 6));
    }

    static Port of(PortState state) {
        PortBuilder builder = new PortBuilder()
            .setSwitch(new Name(state.port().switchName()))
            .setPort(new InterfaceName(state.port().port()));
        state.speed().ifPresent(gbps -> builder.setSpeed(new LinkRate(
            decimal(Math.max(LOWEST_SPEED, Math.min(gbps, HIGHEST_SPEED)), 3))));
        state.mtu().ifPresent(bytes -> builder.setMtu(Uint32.saturatedOf(bytes)));
        if (!state.duplex().isEmpty()) {
            builder.setDuplex(Port.Duplex.ofName(state.duplex()));
        }
        if (!state.queues().isEmpty()) {
            builder.setQueue(BindingMap.of(state.queues().stream().map(StateTree::of).toList()));
        }
        if (!state.bits().isEmpty()) {
            builder.setBit(state.bits().stream().map(bit -> Port.Bit.ofName(bit.label())).collect(Collectors.toSet()));
        }
        if (!state.cutOff().isEmpty()) {
            builder.setCutOff(names(state.cutOff()));
        }
        if (!state.fault().isEmpty()) {
            builder.setFault(state.fault());
        }
        return builder.build();
    }

    private static Queue of(PortState.Queue queue) {
        return new QueueBuilder()
            .setId(Uint16.valueOf(queue.id()))
            .setCore(Uint32.valueOf(queue.core()))
            .setNumaNode(Uint16.valueOf(queue.numa()))
            .setBusy(Uint8.valueOf(queue.busy()))
            .setThreadBusy(Uint8.valueOf(queue.threadBusy()))
            .build();
    }

    static Placement of(DcmPlacement state) {
        PlacementBuilder builder = new PlacementBuilder()
            .setDcm(new Name(state.dcm()))
            .setMoves(Uint64.valueOf(state.moves()))
            .setReachableRos(Uint32.valueOf(state.reachableRos()));
        if (state.plane() != 0) {
            builder.setPlane(plane(state.plane()));
        }
        if (state.spine() != 0) {
            builder.setSpine(spine(state.spine()));
        }
        state.backupSpine().ifPresent(id -> builder.setBackupSpine(spine(id)));
        state.proof().last().ifPresent(last -> builder.setLastProof(time(last)));
        if (!state.proof().missed().isEmpty()) {
            builder.setMissedRos(names(state.proof().missed()));
        }
        if (!state.proof().old().isEmpty()) {
            builder.setOldRos(names(state.proof().old()));
        }
        if (!state.fromPods().isEmpty()) {
            builder.setFromPod(BindingMap.of(state.fromPods().stream().map(StateTree::of).toList()));
        }
        return builder.build();
    }

    private static Set<Name> names(SortedSet<String> names) {
        return names.stream().map(Name::new).collect(Collectors.toSet());
    }

    private static FromPod of(PodPlacement state) {
        return new FromPodBuilder()
            .setPod(new PodId(Uint16.valueOf(state.pod())))
            .setPlane(plane(state.plane()))
            .setSpine(state.spine() == 0 ? null : spine(state.spine()))
            .build();
    }

    static Spine of(SpineLoad state) {
        return new SpineBuilder()
            .setPlane(plane(state.plane()))
            .setSpine(spine(state.spine()))
            .setDcms(Uint32.valueOf(state.dcms()))
            .setLoad(ratio(state.load()))
            .build();
    }

    static Daqring of(RingState state) {
        return new DaqringBuilder()
            .setSwitch(new Name(state.switchName()))
            .setDcm(new Name(state.dcm()))
            .setEnqueued(Uint64.valueOf(state.enqueued()))
            .setDequeued(Uint64.valueOf(state.dequeued()))
            .setDropped(Uint64.valueOf(state.dropped()))
            .setOccupancy(Uint32.valueOf(state.occupancy()))
            .setHighestOccupancy(Uint32.valueOf(state.highestOccupancy()))
            .setThrottledPolls(Uint64.valueOf(state.throttledPolls()))
            .setDropEpisodes(Uint64.valueOf(state.dropEpisodes()))
            .build();
    }

    static DropEpisode of(org.daqfabric.api.state.DropEpisode state) {
        DropEpisodeBuilder builder = new DropEpisodeBuilder()
            .setDcm(new Name(state.dcm()))
            .setSwitch(new Name(state.switchName()))
            .setBegin(time(state.drops().begin()))
            .setBegan(time(state.began()))
            .setDuration(Uint64.valueOf(state.drops().lasted().toMillis()))
            .setDropped(Uint64.valueOf(state.drops().dropped()))
            .setPeak(Uint32.valueOf(state.drops().peak()))
            .setBefore(Uint16.valueOf(state.drops().before()))
            .setOccupancy(state.drops().occupancy());
        state.run().ifPresent(run -> builder.setPartition(new Name(run.partition()))
            .setRunNumber(Uint32.valueOf(run.number())));
        return builder.build();
    }

    static org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.state.Capacity of(Capacity state) {
        CapacityBuilder builder = new CapacityBuilder()
            .setBandwidth(new Bandwidth(decimal(state.bandwidth(), 3)))
            .setNominalBandwidth(new Bandwidth(decimal(state.nominal(), 3)))
            .setUtilisation(ratio(state.utilisation()));
        if (!state.bottleneck().isEmpty()) {
            builder.setBottleneck(state.bottleneck());
        }
        return builder.build();
    }

    static LastRepair of(Repair state) {
        LastRepairBuilder builder = new LastRepairBuilder()
            .setCause(state.cause())
            .setDetected(time(state.detected()))
            .setComputed(since(state.detected(), state.computed()))
            .setMovedDcms(Uint32.valueOf(state.movedDcms()))
            .setMessages(Uint32.valueOf(state.messages()));
        state.confirmed().ifPresent(confirmed -> builder.setConfirmed(since(state.detected(), confirmed)));
        return builder.build();
    }

    static LastRebalanced of(Rebalanced state) {
        LastRebalancedBuilder builder = new LastRebalancedBuilder()
            .setCause(state.cause())
            .setBegun(time(state.begun()))
            .setMovedDcms(Uint32.valueOf(state.movedDcms()))
            .setMessages(Uint32.valueOf(state.messages()));
        state.confirmed().ifPresent(confirmed -> builder.setConfirmed(since(state.begun(), confirmed)));
        return builder.build();
    }

    static PlaneId plane(int id) {
        return new PlaneId(Uint8.valueOf(id));
    }

    static SpineId spine(int id) {
        return new SpineId(Uint16.valueOf(id));
    }

    static DateAndTime time(Instant instant) {
        return new DateAndTime(TIME.format(instant));
    }

    /** The time between two instants; 0 if the system's clock stepped back between them. */
    static Milliseconds since(Instant from, Instant to) {
        return new Milliseconds(decimal(Duration.between(from, to).toNanos() / 1e6, 3));
    }

    private static Ratio ratio(double value) {
        return new Ratio(decimal(Math.min(value, 1), 4));
    }

    /** A state is shown even if a number in it makes no sense: a negative number or NaN becomes 0. */
    static Decimal64 decimal(double value, int digits) {
        double sane = value > 0 ? Math.min(value, 1e12) : 0;
        return YangValues.decimal(sane, digits);
    }
}
