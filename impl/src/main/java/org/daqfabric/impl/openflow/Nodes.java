package org.daqfabric.impl.openflow;

import java.util.OptionalLong;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.NodeConnectorId;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.NodeConnectorRef;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.NodeId;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.NodeRef;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.node.NodeConnector;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.node.NodeConnectorKey;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.nodes.Node;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.nodes.NodeKey;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;

/** How OpenDaylight names a switch: {@code openflow:} and the datapath-id, decimal and unsigned. */
final class Nodes {
    private static final String PREFIX = "openflow:";

    private Nodes() {
    }

    static String name(final long datapathId) {
        return PREFIX + Long.toUnsignedString(datapathId);
    }

    static DataObjectIdentifier.WithKey<Node, NodeKey> path(final long datapathId) {
        return DataObjectIdentifier
            .builder(org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.Nodes.class)
            .child(Node.class, new NodeKey(new NodeId(name(datapathId))))
            .build();
    }

    static NodeRef ref(final long datapathId) {
        return new NodeRef(path(datapathId));
    }

    /** A port of a switch. */
    static NodeConnectorRef ref(final long datapathId, final int port) {
        return new NodeConnectorRef(path(datapathId).toBuilder()
            .child(NodeConnector.class, new NodeConnectorKey(
                new NodeConnectorId(name(datapathId) + ':' + Ports.text(port))))
            .build());
    }

    /** The datapath-id of a node; empty for nodes that are no OpenFlow switches. */
    static OptionalLong datapathId(final NodeId id) {
        final String name = id.getValue();
        if (!name.startsWith(PREFIX)) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(Long.parseUnsignedLong(name.substring(PREFIX.length())));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }
}
