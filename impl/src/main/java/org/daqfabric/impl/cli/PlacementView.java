package org.daqfabric.impl.cli;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.HltRack;
import org.daqfabric.api.spec.Pod;
import org.daqfabric.api.state.FabricState;

/** Where DCMs are placed, and the resulting load of the spines. */
record PlacementView(String fabric, List<Row> dcms, List<SpineRow> spines) implements View {
    /**
     * One DCM.
     *
     * @param plane its primary plane; absent with the spine if it has no path
     */
    record Row(String dcm, String rack, String address, Optional<Integer> plane, Optional<String> spine,
            Optional<String> backupSpine, long moves, int reachableRos) {
    }

    /**
     * One spine.
     *
     * @param load of its fullest link, relative to that of the fabric's fullest link
     */
    record SpineRow(int plane, int spine, String name, int dcms, double load) {
    }

    private record Location(String rack, String address) {
    }

    /**
     * The rows of a state.
     *
     * @param only names of the DCMs to show; all, and the spines, if empty
     */
    static PlacementView of(FabricSpec spec, FabricState state, Set<String> only) {
        Map<String, Location> locations = locations(spec);
        return new PlacementView(state.fabric(),
            state.placements().stream().filter(each -> only.isEmpty() || only.contains(each.dcm())).map(each -> {
                Location location = locations.getOrDefault(each.dcm(), new Location("", ""));
                Optional<Integer> plane = Optional.of(each.plane()).filter(id -> id > 0);
                return new Row(each.dcm(), location.rack, location.address, plane,
                    plane.flatMap(id -> spine(spec, id, OptionalInt.of(each.spine()))),
                    plane.flatMap(id -> spine(spec, id, each.backupSpine())), each.moves(), each.reachableRos());
            }).toList(),
            only.isEmpty() ? state.spines().stream().map(each -> new SpineRow(each.plane(), each.spine(),
                spine(spec, each.plane(), OptionalInt.of(each.spine())).orElse(""), each.dcms(),
                NumberText.round(each.load(), 4))).toList() : List.of());
    }

    private static Map<String, Location> locations(FabricSpec spec) {
        Map<String, Location> locations = new HashMap<>();
        for (Pod pod : spec.pods()) {
            for (HltRack rack : pod.racks()) {
                rack.dcms().forEach(dcm -> locations.put(dcm.name(),
                    new Location(rack.name(), dcm.address().toString())));
            }
        }
        return locations;
    }

    private static Optional<String> spine(FabricSpec spec, int plane, OptionalInt id) {
        return id.isEmpty() ? Optional.empty() : NameLookup.spine(spec, plane, id.getAsInt());
    }

    @Override
    public String text() {
        Table table = new Table("DCM", "RACK", "ADDRESS", "PLANE", "SPINE", "BACKUP", "MOVES", "ROS");
        dcms.forEach(row -> table.row(row.dcm, row.rack, row.address, row.plane, row.spine.orElse("no path"),
            row.backupSpine, row.moves, row.reachableRos));
        if (spines.isEmpty()) {
            return table.text();
        }
        Table below = new Table("SPINE", "PLANE", "DCMS", "LOAD");
        spines.forEach(row -> below.row(row.name, row.plane, row.dcms, NumberText.percent(row.load)));
        return table.text() + "\n\n" + below.text();
    }
}
