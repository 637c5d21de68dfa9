package org.daqfabric.impl.northbound.views;

import org.opendaylight.yang.gen.v1.urn.tbd.params.xml.ns.yang.network.topology.rev131021.LinkId;
import org.opendaylight.yang.gen.v1.urn.tbd.params.xml.ns.yang.network.topology.rev131021.NetworkTopology;
import org.opendaylight.yang.gen.v1.urn.tbd.params.xml.ns.yang.network.topology.rev131021.NodeId;
import org.opendaylight.yang.gen.v1.urn.tbd.params.xml.ns.yang.network.topology.rev131021.TopologyId;
import org.opendaylight.yang.gen.v1.urn.tbd.params.xml.ns.yang.network.topology.rev131021.TpId;
import org.opendaylight.yang.gen.v1.urn.tbd.params.xml.ns.yang.network.topology.rev131021.link.attributes.DestinationBuilder;
import org.opendaylight.yang.gen.v1.urn.tbd.params.xml.ns.yang.network.topology.rev131021.link.attributes.SourceBuilder;
import org.opendaylight.yang.gen.v1.urn.tbd.params.xml.ns.yang.network.topology.rev131021.network.topology.Topology;
import org.opendaylight.yang.gen.v1.urn.tbd.params.xml.ns.yang.network.topology.rev131021.network.topology.TopologyBuilder;
import org.opendaylight.yang.gen.v1.urn.tbd.params.xml.ns.yang.network.topology.rev131021.network.topology.TopologyKey;
import org.opendaylight.yang.gen.v1.urn.tbd.params.xml.ns.yang.network.topology.rev131021.network.topology.topology.Link;
import org.opendaylight.yang.gen.v1.urn.tbd.params.xml.ns.yang.network.topology.rev131021.network.topology.topology.LinkBuilder;
import org.opendaylight.yang.gen.v1.urn.tbd.params.xml.ns.yang.network.topology.rev131021.network.topology.topology.LinkKey;
import org.opendaylight.yang.gen.v1.urn.tbd.params.xml.ns.yang.network.topology.rev131021.network.topology.topology.Node;
import org.opendaylight.yang.gen.v1.urn.tbd.params.xml.ns.yang.network.topology.rev131021.network.topology.topology.NodeBuilder;
import org.opendaylight.yang.gen.v1.urn.tbd.params.xml.ns.yang.network.topology.rev131021.network.topology.topology.NodeKey;
import org.opendaylight.yang.gen.v1.urn.tbd.params.xml.ns.yang.network.topology.rev131021.network.topology.topology.node.TerminationPoint;
import org.opendaylight.yang.gen.v1.urn.tbd.params.xml.ns.yang.network.topology.rev131021.network.topology.topology.node.TerminationPointBuilder;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.binding.util.BindingMap;

/** A fabric as a topology of {@code network-topology}. */
final class TopologyTree {
    private TopologyTree() {
    }

    static DataObjectIdentifier.WithKey<Topology, TopologyKey> path(String topology) {
        return DataObjectIdentifier.builder(NetworkTopology.class)
            .child(Topology.class, new TopologyKey(new TopologyId(topology))).build();
    }

    static DataObjectIdentifier<Node> node(String topology, String node) {
        return path(topology).toBuilder().child(Node.class, new NodeKey(new NodeId(node))).build();
    }

    static DataObjectIdentifier<Link> link(String topology, String link) {
        return path(topology).toBuilder().child(Link.class, new LinkKey(new LinkId(link))).build();
    }

    static Topology of(ShownFabric view) {
        return new TopologyBuilder().setTopologyId(new TopologyId(view.id())).setServerProvided(true)
            .setNode(BindingMap.of(view.switches().values().stream().map(TopologyTree::of).toList()))
            .setLink(BindingMap.of(view.cables().values().stream().map(TopologyTree::of).toList()))
            .build();
    }

    static Node of(SwitchNode node) {
        return new NodeBuilder().setNodeId(new NodeId(node.id()))
            .setTerminationPoint(BindingMap.of(node.ports().stream().map(TopologyTree::of).toList()))
            .build();
    }

    private static TerminationPoint of(SwitchNode.Port port) {
        return new TerminationPointBuilder().setTpId(new TpId(port.id())).build();
    }

    static Link of(Cable cable) {
        return new LinkBuilder().setLinkId(new LinkId(cable.id()))
            .setSource(new SourceBuilder().setSourceNode(new NodeId(cable.fromNode()))
                .setSourceTp(new TpId(cable.from())).build())
            .setDestination(new DestinationBuilder().setDestNode(new NodeId(cable.toNode()))
                .setDestTp(new TpId(cable.to())).build())
            .build();
    }
}
