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

/**
 * What to change in a node so that it holds the wanted bridges, and what stands in the way.
 *
 * @param changes operations by the bridge they are about; no entry where nothing is to be changed
 * @param problems by bridge
 * @param orphans bridges of ours that nobody wants and that are left alone
 */
record BridgePlan(SortedMap<String, List<JsonObject>> changes, SortedMap<String, Problems> problems,
        SortedSet<String> orphans) {
    /** Marks what is ours in {@code external_ids}; its value is the fabric's name. */
    static final String MARK = "daqfabric";

    /**
     * What keeps a bridge from being as wanted.
     *
     * @param bridge about the bridge itself; may be empty
     * @param ports by port
     */
    record Problems(String bridge, SortedMap<String, String> ports) {
        static final Problems NONE = new Problems("", new TreeMap<>());

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
     * What is wanted of a node.
     *
     * @param bridges by name
     * @param unwanted names of bridges to be taken off if they are ours
     * @param takeOrphans whether also those are taken off that nobody mentioned but that bear the mark of a fabric
     *        which has a bridge in {@code bridges}
     * @param controllers targets of the Controller rows; if empty, Controller rows are left as they are
     */
    record Wanted(SortedMap<String, Bridge> bridges, Set<String> unwanted, boolean takeOrphans,
            SortedSet<String> controllers) {
    }

    /** Plans; the same picture and the same wishes give the same plan, and a plan that was carried out none. */
    static BridgePlan of(OvsdbSnapshot picture, Wanted wanted) {
        if (picture.system().isEmpty()) {
            return new BridgePlan(new TreeMap<>(), new TreeMap<>(), new TreeSet<>());
        }
        return new Planner(picture, picture.system().get(), wanted).plan();
    }

    private static final class Planner {
        private final OvsdbSnapshot picture;
        private final SystemRow system;
        private final Wanted wanted;
        private final Map<String, BridgeRow> bridges = new TreeMap<>();
        private final PortOwners owners;
        private final SortedMap<String, List<JsonObject>> changes = new TreeMap<>();
        private final SortedMap<String, Problems> problems = new TreeMap<>();
        private final SortedSet<String> orphans = new TreeSet<>();

        Planner(OvsdbSnapshot picture, SystemRow system, Wanted wanted) {
            this.picture = picture;
            this.system = system;
            this.wanted = wanted;
            picture.bridges().values().forEach(row -> bridges.put(row.name(), row));
            owners = new PortOwners(picture);
        }

        BridgePlan plan() {
            SortedSet<String> leaving = leaving();
            for (String name : leaving) {
                owners.release(bridges.get(name).ports());
            }
            for (Bridge bridge : wanted.bridges().values()) {
                BridgeRow row = bridges.get(bridge.name());
                if (row != null && isOurs(row)) {
                    owners.release(BridgeDiff.leavingPorts(picture, row, bridge));
                }
            }
            for (String name : leaving) {
                changes.put(name, removal(bridges.get(name)));
            }
            int number = 0;
            Set<String> claimed = new HashSet<>(wanted.bridges().keySet());
            for (Bridge bridge : wanted.bridges().values()) {
                BridgeRow row = bridges.get(bridge.name());
                if (row != null && !isOurs(row)) {
                    problems.put(bridge.name(), new Problems("bridge " + bridge.name() + " exists and was not made by"
                        + " daqfabric: rename one of the two, delete it, or hand it over with ovs-vsctl set bridge "
                        + bridge.name() + " external_ids:" + MARK + "=" + bridge.fabric(), new TreeMap<>()));
                    continue;
                }
                BridgeDiff diff = new BridgeDiff(picture, system, bridge, row, wanted.controllers(), owners, claimed,
                    "b" + number++);
                List<JsonObject> operations = diff.operations();
                if (!operations.isEmpty()) {
                    changes.put(bridge.name(), operations);
                }
                if (!diff.problems().equals(Problems.NONE)) {
                    problems.put(bridge.name(), diff.problems());
                }
            }
            return new BridgePlan(changes, problems, orphans);
        }

        private SortedSet<String> leaving() {
            Set<String> fabrics = new HashSet<>();
            wanted.bridges().values().forEach(bridge -> fabrics.add(bridge.fabric()));
            SortedSet<String> leaving = new TreeSet<>();
            for (BridgeRow row : bridges.values()) {
                if (!isOurs(row) || wanted.bridges().containsKey(row.name())) {
                    continue;
                }
                if (wanted.unwanted().contains(row.name())
                        || wanted.takeOrphans() && fabrics.contains(row.externalIds().get(MARK))) {
                    leaving.add(row.name());
                } else {
                    orphans.add(row.name());
                }
            }
            return leaving;
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

    /** Which bridge holds which port and interface. */
    static final class PortOwners {
        private final Map<String, String> places = new HashMap<>();
        private final OvsdbSnapshot picture;

        PortOwners(OvsdbSnapshot picture) {
            this.picture = picture;
            for (BridgeRow bridge : picture.bridges().values()) {
                String place = "bridge " + bridge.name();
                for (String uuid : bridge.ports()) {
                    PortRow port = picture.ports().get(uuid);
                    if (port != null) {
                        for (String name : names(port)) {
                            places.put(name, name.equals(port.name()) ? place : "port " + port.name() + " of " + place);
                        }
                    }
                }
            }
        }

        /** Counts these ports as gone. */
        void release(Collection<String> portUuids) {
            for (String uuid : portUuids) {
                PortRow port = picture.ports().get(uuid);
                if (port != null) {
                    names(port).forEach(places::remove);
                }
            }
        }

        /** Where a port or interface of that name is, in words; null if nowhere. */
        String placeOf(String name) {
            return places.get(name);
        }

        private List<String> names(PortRow port) {
            List<String> names = new ArrayList<>(2);
            names.add(port.name());
            for (String uuid : port.interfaces()) {
                InterfaceRow row = picture.interfaces().get(uuid);
                if (row != null && !row.name().equals(port.name())) {
                    names.add(row.name());
                }
            }
            return names;
        }
    }
}
