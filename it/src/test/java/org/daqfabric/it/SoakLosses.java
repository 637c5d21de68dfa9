package org.daqfabric.it;

import com.google.gson.JsonObject;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What the controller says of losses in a simulated fabric. A simulated cable loses nothing while it is whole and both
 * its ends have power, and has no packet under way when it is cut; what is sent by a link that is not up is not
 * counted. So none of {@link SoakFaults} causes a loss, and each that is told is false, whenever it is.
 */
final class SoakLosses {
    private static final List<String> DIRECTIONS = List.of("to-peer", "from-peer");

    private final SortedSet<String> found = new TreeSet<>();
    private final Restconf restconf;
    private final SimulatedFabric fabric;
    private final RunPartition partition;
    private int runs;

    SoakLosses(final Distribution controller, final SimulatedFabric fabric) {
        restconf = controller.restconf();
        this.fabric = fabric;
        partition = new RunPartition(restconf, "soak", fabric.file().name());
    }

    /** All false losses so far, in words. */
    Collection<String> found() {
        return found;
    }

    int runs() {
        return runs;
    }

    /** Prepares the partition whose runs are looked at. */
    void prepare() {
        partition.prepared("").armed();
    }

    void startRun() {
        runs++;
        partition.started(runs);
    }

    void stopRun() {
        partition.ask("stop-run", "").orFail();
    }

    /** Looks at all that says of losses, while the fabric is whole: numbers of packets never become fewer. */
    void look() {
        final var state = fabric.awaitState("the counters of all links are known", SoakLosses::isKnown);
        for (var link : links(state)) {
            for (var name : DIRECTIONS) {
                final var direction = link.getAsJsonObject(name);
                if (isLost(direction)) {
                    found.add("%s:%s %s: lost-packets %s, loss-rate %s".formatted(link.get("switch").getAsString(),
                        link.get("port").getAsString(), name, direction.get("lost-packets"),
                        direction.get("loss-rate")));
                }
            }
        }
        // cleared ones, too
        AlarmWatch.list(restconf).stream().filter(each -> each.get("alarm-type-id").getAsString().equals("link-lossy"))
            .forEach(each -> found.add("alarm link-lossy: " + each.get("resource").getAsString()));
        final var run = partition.json().getAsJsonObject("run");
        if (run != null && (!FabricFile.entries(run, "link-loss").isEmpty() || run.has("daqring-drops")
                && run.get("daqring-drops").getAsLong() > 0)) {
            found.add("run " + run);
        }
    }

    /** Whether losses are told that there are: the port loses frames meanwhile. */
    void awaitTold(final String end) {
        fabric.awaitState(end + " loses packets", state -> links(state).stream()
            .filter(link -> end.equals(link.get("switch").getAsString() + ":" + link.get("port").getAsString()))
            .anyMatch(link -> isLost(link.getAsJsonObject("to-peer"))));
    }

    private static List<JsonObject> links(final FabricState state) {
        return FabricFile.entries(state.json(), "link");
    }

    private static boolean isKnown(final FabricState state) {
        return links(state).stream().allMatch(link -> DIRECTIONS.stream().allMatch(name ->
            link.has(name) && link.getAsJsonObject(name).has("lost-packets")));
    }

    private static boolean isLost(final JsonObject direction) {
        return direction != null && direction.has("lost-packets")
            && (direction.get("lost-packets").getAsLong() > 0 || direction.get("loss-rate").getAsLong() > 0);
    }
}
