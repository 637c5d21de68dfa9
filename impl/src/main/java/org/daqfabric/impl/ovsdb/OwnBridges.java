package org.daqfabric.impl.ovsdb;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.impl.controller.spi.Installation;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.BridgeRow;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.PortRow;

/**
 * What is known of the bridges of ours on one node, so that one whose marks another tool clears stays ours.
 *
 * @param fabrics the fabrics of bridges that had our mark when they were seen last, by uuid
 * @param serials the serial numbers that bridges had, by name
 * @param names the fabrics of bridges that had our mark since the node connected, by name
 * @param installation which installation this is
 */
record OwnBridges(Map<String, String> fabrics, Map<String, String> serials, Map<String, String> names,
        Installation installation) {
    static final OwnBridges NONE = new OwnBridges(Map.of(), Map.of());
    private static final String MARK = BridgePlan.MARK;
    private static final String DATAPATH_ID = "datapath-id";

    /** Without names, of no installation. */
    OwnBridges(Map<String, String> fabrics, Map<String, String> serials) {
        this(fabrics, serials, Map.of(), Installation.UNKNOWN);
    }

    /** Whether a bridge belongs to another installation, whatever else it has of ours. */
    boolean isOther(BridgeRow row) {
        return installation.isOther(row.externalIds().get(BridgePlan.INSTALLATION));
    }

    /** What a bridge has in {@code external_ids}. */
    Map<String, String> marks(Bridge bridge) {
        return installation.id().isEmpty() ? Map.of(MARK, bridge.fabric())
            : Map.of(MARK, bridge.fabric(), BridgePlan.INSTALLATION, installation.id());
    }

    /** The fabrics after a look at a node's rows. */
    static Map<String, String> observe(Map<String, String> before, OvsdbSnapshot snapshot) {
        Map<String, String> now = new TreeMap<>();
        snapshot.bridges().values().forEach(row -> Optional.ofNullable(row.externalIds().getOrDefault(MARK,
            before.get(row.uuid()))).ifPresent(fabric -> now.put(row.uuid(), fabric)));
        return now;
    }

    /**
     * Whether a bridge is ours: it has our mark; or it had it, or one of its ports has that of its fabric, or it has
     * our datapath-id and serial number, so that another tool has cleared the mark; or another tool has just deleted
     * ours and made it in its place.
     */
    boolean isOurs(OvsdbSnapshot snapshot, BridgeRow row, Bridge wanted) {
        return row.externalIds().containsKey(MARK) || wanted.fabric().equals(fabrics.get(row.uuid()))
            || wanted.fabric().equals(names.get(row.name()))
            || row.ports().stream().map(snapshot.ports()::get).anyMatch(port -> isMarked(port, wanted))
            || BridgeSerials.of(row).isPresent() && datapathId(wanted).equals(row.otherConfig().get(DATAPATH_ID));
    }

    private static boolean isMarked(PortRow port, Bridge wanted) {
        return port != null && wanted.fabric().equals(port.externalIds().get(MARK));
    }

    /** The serial number that a bridge is to have; empty if it has none yet. */
    Optional<String> serial(String bridge, BridgeRow row) {
        return BridgeSerials.of(row).or(() -> Optional.ofNullable(serials.get(bridge)));
    }

    static String datapathId(Bridge bridge) {
        return "%016x".formatted(bridge.datapathId());
    }

    /** What a bridge of ours has lost that only another tool takes from it; nothing if it is new to us. */
    List<String> cleared(BridgeRow row) {
        List<String> lost = new ArrayList<>();
        if (!row.externalIds().containsKey(MARK)) {
            lost.add("external_ids:" + MARK);
        } else if (!fabrics.containsKey(row.uuid())) {
            return lost;
        }
        if (row.controllers().isEmpty()) {
            lost.add("controller");
        }
        if (row.failMode().isEmpty()) {
            lost.add("fail_mode");
        }
        if (row.protocols().isEmpty()) {
            lost.add("protocols");
        }
        if (!row.otherConfig().containsKey(DATAPATH_ID)) {
            lost.add("other_config:" + DATAPATH_ID);
        }
        return lost;
    }
}
