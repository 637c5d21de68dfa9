package org.daqfabric.impl.ovsdb;

import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.BridgeRow;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.InterfaceRow;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.PortRow;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.SystemRow;
import org.eclipse.jdt.annotation.Nullable;

/**
 * What to change in a node so that it has the desired bridges, and what prevents it.
 *
 * @param changes operations by the bridge they concern, and those of the node as {@link NodeConfig#NAME}; no entry
 *     where there is nothing to change
 * @param problems by bridge
 * @param orphans bridges made by daqfabric that no request mentions, and that are left as they are
 * @param corrections what other tools or persons have done to a bridge, and the changes put right, in words
 */
record BridgePlan(SortedMap<String, List<JsonObject>> changes, SortedMap<String, Problems> problems,
        SortedSet<String> orphans, SortedMap<String, List<String>> corrections) {
    /** Key in {@code external_ids} that marks every row made by daqfabric; its value is the fabric's name. */
    static final String MARK = "daqfabric";
    /** The same of bridges; its value is the id of the installation. */
    static final String INSTALLATION = "daqfabric-installation";

    /**
     * What keeps a bridge from its desired state.
     *
     * @param bridge about the bridge itself; may be empty
     * @param ports by port
     * @param isForeign whether somebody else made the bridge, so that it does not forward by our rules
     */
    record Problems(String bridge, SortedMap<String, String> ports, boolean isForeign) {
        static final Problems NONE = new Problems("", new TreeMap<>());

        /** Of a bridge of ours. */
        Problems(String bridge, SortedMap<String, String> ports) {
            this(bridge, ports, false);
        }

        /** All in one text. */
        String text() {
            return ports.isEmpty() ? bridge
                : String.join("; ", bridge.isEmpty() ? ports.values() : concat(bridge, ports.values()));
        }

        private static Collection<String> concat(String first, Collection<String> others) {
            Set<String> all = new LinkedHashSet<>();
            all.add(first);
            all.addAll(others);
            return all;
        }
    }

    /**
     * The desired state of a node.
     *
     * @param bridges by name
     * @param toRemove the fabrics whose bridges are to be deleted, by name of the bridge
     * @param removeOrphans whether to delete also bridges that neither a request nor a configuration mentions, if they
     *        have the mark of a fabric which has a bridge in {@code bridges}
     * @param owners the configured fabrics of bridges that are not in {@code bridges}, by name of the bridge: what
     *        another fabric owns by now is never deleted
     * @param controllers targets of the Controller rows; if empty, Controller rows are left as they are
     * @param serial the serial number of bridges that have none of ours
     * @param known what is known of the node's bridges
     */
    record Desired(SortedMap<String, Bridge> bridges, Map<String, SortedSet<String>> toRemove, boolean removeOrphans,
            Map<String, String> owners, SortedSet<String> controllers, String serial, OwnBridges known) {
        /** Of a node of which nothing is known. */
        Desired(SortedMap<String, Bridge> bridges, Map<String, SortedSet<String>> toRemove, boolean removeOrphans,
                Map<String, String> owners, SortedSet<String> controllers, String serial) {
            this(bridges, toRemove, removeOrphans, owners, controllers, serial, OwnBridges.NONE);
        }
    }

    /**
     * Plans the changes. Equal arguments give equal plans, and there is nothing to change after a plan was carried out.
     */
    static BridgePlan of(OvsdbSnapshot snapshot, Desired desired) {
        if (snapshot.system().isEmpty()) {
            return new BridgePlan(new TreeMap<>(), new TreeMap<>(), new TreeSet<>(), new TreeMap<>());
        }
        return new Planner(snapshot, snapshot.system().get(), desired).plan();
    }

    private static final class Planner {
        private final OvsdbSnapshot snapshot;
        private final SystemRow system;
        private final Desired desired;
        private final Map<String, BridgeRow> bridges = new TreeMap<>();
        private final PortOwners owners;
        private final SortedMap<String, List<JsonObject>> changes = new TreeMap<>();
        private final SortedMap<String, Problems> problems = new TreeMap<>();
        private final SortedSet<String> orphans = new TreeSet<>();
        private final SortedMap<String, List<String>> corrections = new TreeMap<>();

        Planner(OvsdbSnapshot snapshot, SystemRow system, Desired desired) {
            this.snapshot = snapshot;
            this.system = system;
            this.desired = desired;
            snapshot.bridges().values().forEach(row -> bridges.put(row.name(), row));
            owners = new PortOwners(snapshot);
        }

        BridgePlan plan() {
            SortedSet<String> removed = removed();
            for (String name : removed) {
                owners.release(bridges.get(name).ports());
            }
            for (Bridge bridge : desired.bridges().values()) {
                BridgeRow row = bridges.get(bridge.name());
                if (row != null && !desired.known().isOther(row) && desired.known().isOurs(snapshot, row, bridge)) {
                    owners.release(BridgeDiff.removedPorts(snapshot, row, bridge));
                }
            }
            for (String name : removed) {
                changes.put(name, removal(bridges.get(name)));
            }
            int number = 0;
            Set<String> claimed = new HashSet<>(desired.bridges().keySet());
            for (Bridge bridge : desired.bridges().values()) {
                BridgeRow row = bridges.get(bridge.name());
                if (row != null && desired.known().isOther(row)) {
                    problems.put(bridge.name(), new Problems(ofOther(row), new TreeMap<>(), true));
                    continue;
                }
                if (row != null && !desired.known().isOurs(snapshot, row, bridge)) {
                    problems.put(bridge.name(), new Problems("bridge " + bridge.name() + " exists and was not made by"
                        + " daqfabric, so that none of its ports counts as a path: rename one of the two, delete it, or"
                        + " hand it over with ovs-vsctl set bridge " + bridge.name() + " external_ids:" + MARK + "="
                        + bridge.fabric(), new TreeMap<>(), true));
                    continue;
                }
                BridgeDiff diff = new BridgeDiff(snapshot, system, bridge, row, desired, owners, claimed,
                    "b" + number++);
                List<JsonObject> operations = diff.operations();
                if (!operations.isEmpty()) {
                    changes.put(bridge.name(), operations);
                }
                if (!diff.corrections().isEmpty()) {
                    corrections.put(bridge.name(), diff.corrections());
                }
                if (!diff.problems().equals(Problems.NONE)) {
                    problems.put(bridge.name(), diff.problems());
                }
            }
            if (bridges.values().stream().anyMatch(desired.known()::isOther)) {
                // what ports need of the node is that installation's business, too
                return new BridgePlan(changes, problems, orphans, corrections);
            }
            List<JsonObject> node = NodeConfig.of(snapshot, system, desired, removed).operations();
            if (!node.isEmpty()) {
                changes.put(NodeConfig.NAME, node);
            }
            return new BridgePlan(changes, problems, orphans, corrections);
        }

        private static String ofOther(BridgeRow row) {
            String id = row.externalIds().get(INSTALLATION);
            return "bridge " + row.name() + " belongs to another installation of daqfabric (" + id + "), so that"
                + " nothing is sent to it and none of its ports counts as a path: end one of the two controllers; if"
                + " that one is gone for good, call the rpc take-over with \"installation\":\"" + id + "\" here";
        }

        private SortedSet<String> removed() {
            Set<String> fabrics = new HashSet<>();
            desired.bridges().values().forEach(bridge -> fabrics.add(bridge.fabric()));
            SortedSet<String> removed = new TreeSet<>();
            for (BridgeRow row : bridges.values()) {
                if (!isOurs(row) || desired.bridges().containsKey(row.name())) {
                    continue;
                }
                String fabric = row.externalIds().get(MARK);
                String owner = desired.owners().get(row.name());
                boolean isToGo = isToRemove(row.name(), fabric) && (owner == null || owner.equals(fabric))
                    || desired.removeOrphans() && fabrics.contains(fabric) && owner == null;
                if (isToGo && !desired.known().isOther(row)) {
                    removed.add(row.name());
                } else if (owner == null) {
                    orphans.add(row.name());
                }
            }
            return removed;
        }

        private boolean isToRemove(String bridge, String fabric) {
            return desired.toRemove().containsKey(bridge) && desired.toRemove().get(bridge).contains(fabric);
        }

        private List<JsonObject> removal(BridgeRow row) {
            Operations operations = new Operations();
            operations.mutate("Open_vSwitch", system.uuid(),
                OvsdbValues.array(OvsdbValues.array("bridges", "delete", OvsdbValues.uuid(row.uuid()))));
            operations.expectFirst("Bridge", row.uuid(), row.name(), "external_ids", MARK, row.externalIds().get(MARK));
            return operations.list();
        }

        private static boolean isOurs(BridgeRow row) {
            return row.externalIds().containsKey(MARK);
        }
    }

    /** Which bridge has which port and interface. */
    static final class PortOwners {
        private final Map<String, String> places = new HashMap<>();
        private final OvsdbSnapshot snapshot;

        PortOwners(OvsdbSnapshot snapshot) {
            this.snapshot = snapshot;
            for (BridgeRow bridge : snapshot.bridges().values()) {
                String place = "bridge " + bridge.name();
                for (String uuid : bridge.ports()) {
                    PortRow port = snapshot.ports().get(uuid);
                    if (port != null) {
                        for (String name : names(port)) {
                            places.put(name, name.equals(port.name()) ? place : "port " + port.name() + " of " + place);
                        }
                    }
                }
            }
        }

        /** These ports are deleted by the same plan. */
        void release(Collection<String> portUuids) {
            for (String uuid : portUuids) {
                PortRow port = snapshot.ports().get(uuid);
                if (port != null) {
                    names(port).forEach(places::remove);
                }
            }
        }

        /** Describes where a port or interface of that name is; null if there is none. */
        @Nullable String placeOf(String name) {
            return places.get(name);
        }

        private List<String> names(PortRow port) {
            List<String> names = new ArrayList<>(2);
            names.add(port.name());
            for (String uuid : port.interfaces()) {
                InterfaceRow row = snapshot.interfaces().get(uuid);
                if (row != null && !row.name().equals(port.name())) {
                    names.add(row.name());
                }
            }
            return names;
        }
    }
}
