package org.daqfabric.impl.openflow;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.daqfabric.api.program.Action;
import org.daqfabric.impl.controller.RuleListener;
import org.opendaylight.mdsal.binding.api.DataObjectModification;
import org.opendaylight.mdsal.binding.api.DataObjectModification.ModificationType;
import org.opendaylight.mdsal.binding.api.DataTreeChangeListener;
import org.opendaylight.mdsal.binding.api.DataTreeModification;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.inventory.rev130819.FlowCapableNode;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.inventory.rev130819.FlowCapableNodeConnector;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.node.NodeConnector;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.nodes.Node;

/**
 * Keeps the sessions in step with the operational inventory. The plugin writes a switch there, with all its ports and
 * groups, when it has taken charge of a connection, and takes it off some time after the last connection went away: a
 * switch that is quick to return never vanishes, it only connects from elsewhere.
 */
final class InventoryListener implements DataTreeChangeListener<Node> {
    private final Map<Long, SwitchSession> sessions = new ConcurrentHashMap<>();
    private final RuleListener listener;
    private final Consumer<SwitchSession> appeared;

    /**
     * Constructor.
     *
     * @param appeared called with every new session, to open it once the switch answers
     */
    InventoryListener(final RuleListener listener, final Consumer<SwitchSession> appeared) {
        this.listener = listener;
        this.appeared = appeared;
    }

    /** The session of a switch, or null. */
    SwitchSession session(final long datapathId) {
        return sessions.get(datapathId);
    }

    @Override
    public void onDataTreeChanged(final List<DataTreeModification<Node>> changes) {
        for (var change : changes) {
            final var root = change.getRootNode();
            final var node = root.modificationType() == ModificationType.DELETE ? root.dataBefore() : root.dataAfter();
            Nodes.datapathId(node.getId()).ifPresent(datapathId -> changed(datapathId, root));
        }
    }

    void close() {
        sessions.values().forEach(session -> session.close("the channel is closed"));
        sessions.clear();
    }

    private void changed(final long datapathId, final DataObjectModification<Node> change) {
        final var session = sessions.get(datapathId);
        final var node = change.modificationType() == ModificationType.DELETE ? null : change.dataAfter();
        final String peer = peer(node);
        if (peer == null) {
            if (session != null) {
                sessions.remove(datapathId);
                session.close("the switch disconnected");
            }
        } else if (session == null || !session.peer().equals(peer)) {
            if (session != null) {
                session.close("the switch reconnected");
            }
            appeared(new SwitchSession(datapathId, peer, listener), node);
        } else {
            change.getModifiedChildren(NodeConnector.class).forEach(port -> port(session, port));
        }
    }

    private void appeared(final SwitchSession session, final Node node) {
        node.nonnullNodeConnector().values().forEach(port -> port(session, port));
        sessions.put(session.datapathId(), session);
        appeared.accept(session);
    }

    private static void port(final SwitchSession session, final DataObjectModification<NodeConnector> change) {
        if (change.modificationType() == ModificationType.DELETE) {
            Ports.number(change.dataBefore().getId().getValue())
                .ifPresent(session::portGone);
        } else {
            port(session, change.dataAfter());
        }
    }

    private static void port(final SwitchSession session, final NodeConnector connector) {
        final var port = connector.augmentation(FlowCapableNodeConnector.class);
        final var number = Ports.number(connector.getId().getValue());
        if (port != null && number.isPresent() && number.getAsInt() != Action.LOCAL) {
            session.port(number.getAsInt(), Ports.up(port));
        }
    }

    /** The switch's end of its connection; null while the plugin does not know it. */
    private static String peer(final Node node) {
        final var known = node == null ? null : node.augmentation(FlowCapableNode.class);
        return known == null || known.getPortNumber() == null ? null
            : known.getIpAddress() + " " + known.getPortNumber().getValue();
    }
}
