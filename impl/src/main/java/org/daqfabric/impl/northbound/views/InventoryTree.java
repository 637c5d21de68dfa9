package org.daqfabric.impl.northbound.views;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.yang.types.rev130715.DateAndTime;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.yang.types.rev130715.MacAddress;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.inventory.rev130819.FlowCapableNodeBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.inventory.rev130819.FlowCapableNodeConnectorBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.inventory.rev130819.FlowCapableStatisticsGatheringStatus;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.inventory.rev130819.FlowCapableStatisticsGatheringStatusBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.inventory.rev130819.snapshot.gathering.status.grouping.SnapshotGatheringStatusEnd;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.inventory.rev130819.snapshot.gathering.status.grouping.SnapshotGatheringStatusEndBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.types.port.rev130925.PortNumberUni;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.types.port.rev130925.flow.capable.port.StateBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.NodeConnectorId;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.NodeId;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.Nodes;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.node.NodeConnector;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.node.NodeConnectorBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.node.NodeConnectorKey;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.nodes.Node;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.nodes.NodeBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.nodes.NodeKey;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.statistics.types.rev130925.node.connector.statistics.BytesBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.statistics.types.rev130925.node.connector.statistics.PacketsBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.port.statistics.rev131214.FlowCapableNodeConnectorStatisticsData;
import org.opendaylight.yang.gen.v1.urn.opendaylight.port.statistics.rev131214.FlowCapableNodeConnectorStatisticsDataBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.port.statistics.rev131214.flow.capable.node.connector.statistics.FlowCapableNodeConnectorStatistics;
import org.opendaylight.yang.gen.v1.urn.opendaylight.port.statistics.rev131214.flow.capable.node.connector.statistics.FlowCapableNodeConnectorStatisticsBuilder;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.binding.util.BindingMap;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.opendaylight.yangtools.yang.common.Uint64;

/** Switches as nodes of {@code opendaylight-inventory}. What is unknown is left out. */
final class InventoryTree {
    /** The manufacturer of all of our switches, by which they are told from those of others. */
    static final String MARK = "daqfabric";

    private static final DateTimeFormatter TIME =
        DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private InventoryTree() {
    }

    static DataObjectIdentifier.WithKey<Node, NodeKey> path(String node) {
        return DataObjectIdentifier.builder(Nodes.class).child(Node.class, new NodeKey(new NodeId(node))).build();
    }

    static DataObjectIdentifier.WithKey<NodeConnector, NodeConnectorKey> path(String node, String port) {
        return path(node).toBuilder().child(NodeConnector.class, new NodeConnectorKey(new NodeConnectorId(port)))
            .build();
    }

    static DataObjectIdentifier<FlowCapableNodeConnectorStatistics> counters(String node, String port) {
        return path(node, port).toBuilder().augmentation(FlowCapableNodeConnectorStatisticsData.class)
            .child(FlowCapableNodeConnectorStatistics.class).build();
    }

    static DataObjectIdentifier<SnapshotGatheringStatusEnd> read(String node) {
        return path(node).toBuilder().augmentation(FlowCapableStatisticsGatheringStatus.class)
            .child(SnapshotGatheringStatusEnd.class).build();
    }

    /** The ports of a switch that are shown. */
    static Stream<SwitchNode.Port> ports(SwitchNode node) {
        return node.ports().stream().filter(SwitchNode.Port::exists);
    }

    static Node of(SwitchNode node) {
        NodeBuilder builder = new NodeBuilder().setId(new NodeId(node.id()))
            .addAugmentation(new FlowCapableNodeBuilder().setDescription(node.name()).setManufacturer(MARK)
                .build())
            .setNodeConnector(BindingMap.of(ports(node).map(InventoryTree::of).toList()));
        node.read().ifPresent(when -> builder.addAugmentation(
            new FlowCapableStatisticsGatheringStatusBuilder().setSnapshotGatheringStatusEnd(read(when)).build()));
        return builder.build();
    }

    /** When counters were read. */
    static SnapshotGatheringStatusEnd read(Instant when) {
        return new SnapshotGatheringStatusEndBuilder().setEnd(new DateAndTime(TIME.format(when))).setSucceeded(true)
            .build();
    }

    static NodeConnector of(SwitchNode.Port port) {
        FlowCapableNodeConnectorBuilder builder = new FlowCapableNodeConnectorBuilder()
            .setName(port.name())
            .setPortNumber(port.state().isPresent() ? new PortNumberUni(Uint32.valueOf(port.number()))
                : new PortNumberUni(port.number()));
        port.state().ifPresent(state -> builder.setState(
            new StateBuilder().setLinkDown(state.down()).setLive(state.live()).setBlocked(false).build()));
        port.kbps().ifPresent(kbps -> builder.setCurrentSpeed(Uint32.saturatedOf(kbps)));
        if (!port.mac().isEmpty()) {
            builder.setHardwareAddress(new MacAddress(port.mac()));
        }
        NodeConnectorBuilder connector = new NodeConnectorBuilder().setId(new NodeConnectorId(port.id()))
            .addAugmentation(builder.build());
        if (!port.counters().isEmpty()) {
            connector.addAugmentation(new FlowCapableNodeConnectorStatisticsDataBuilder()
                .setFlowCapableNodeConnectorStatistics(counters(port)).build());
        }
        return connector.build();
    }

    static FlowCapableNodeConnectorStatistics counters(SwitchNode.Port port) {
        Map<String, Long> all = port.counters();
        PacketsBuilder packets = new PacketsBuilder();
        set(all, "rx_packets", packets::setReceived);
        set(all, "tx_packets", packets::setTransmitted);
        BytesBuilder bytes = new BytesBuilder();
        set(all, "rx_bytes", bytes::setReceived);
        set(all, "tx_bytes", bytes::setTransmitted);
        FlowCapableNodeConnectorStatisticsBuilder builder = new FlowCapableNodeConnectorStatisticsBuilder()
            .setPackets(packets.build()).setBytes(bytes.build());
        set(all, "rx_dropped", builder::setReceiveDrops);
        set(all, "tx_dropped", builder::setTransmitDrops);
        set(all, "rx_errors", builder::setReceiveErrors);
        set(all, "tx_errors", builder::setTransmitErrors);
        set(all, "rx_frame_err", builder::setReceiveFrameError);
        set(all, "rx_over_err", builder::setReceiveOverRunError);
        set(all, "rx_crc_err", builder::setReceiveCrcError);
        set(all, "collisions", builder::setCollisionCount);
        return builder.build();
    }

    private static void set(Map<String, Long> counters, String name, Consumer<Uint64> setter) {
        Long value = counters.get(name);
        if (value != null) {
            setter.accept(Uint64.valueOf(value));
        }
    }
}
