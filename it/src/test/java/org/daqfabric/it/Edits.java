package org.daqfabric.it;

import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Random edits of a running fabric, each one PUT. The lab goes on calling its nodes by their first names; this class
 * knows what each switch is called now and which bridge it has.
 */
final class Edits {
    private final LabFabric fabric;
    private final Random random;
    private final FabricFile current;
    /** The present name of each switch, by the name of its node. */
    private final Map<String, String> names = new HashMap<>();
    private int count;

    /** Edits a fabric that is configured as its file says, with the system-id of every node. */
    Edits(final LabFabric fabric, final Random random) {
        this.fabric = fabric;
        this.random = random;
        current = fabric.file().copy();
        fabric.file().switches().forEach(name -> names.put(name, name));
    }

    /** Number of edits so far. */
    int count() {
        return count;
    }

    /** What the switch of a node is called now. */
    String nameOf(final String node) {
        return names.get(node);
    }

    /** The bridge that the switch of a node has, or is to have. */
    String bridgeOf(final String node) {
        final var description = current.switchNamed(nameOf(node));
        return description.has("bridge") ? description.get("bridge").getAsString() : "br-daq";
    }

    /** Drains what is named by its node, and port if it is a link, or takes it back into use. */
    void admin(final String node, final String port, final String state) {
        final var description = port.isEmpty() ? current.switchNamed(nameOf(node)) : current.link(nameOf(node), port);
        description.addProperty("admin-state", state);
        fabric.put(current);
    }

    /**
     * Makes one edit.
     *
     * @param movable nodes whose switches may get another bridge
     * @return what it was
     */
    String next(final List<String> movable) {
        count++;
        final var what = edit(movable);
        fabric.put(current);
        return what;
    }

    private String edit(final List<String> movable) {
        final int plane = 1 + random.nextInt(2);
        switch (random.nextInt(9)) {
            case 0:
                return rename(1);
            case 1:
                return rename(2);
            case 2:
                return rename(3);
            case 3:
                FabricFile.renumber(FabricFile.entries(current.plane(plane), "spine"), "id", id -> 3 - id);
                return "ids of the spines of plane " + plane + " swapped";
            case 4:
                FabricFile.renumber(FabricFile.entries(current.fabric(), "plane"), "id", id -> 3 - id);
                return "ids of the planes swapped";
            case 5:
                return renumberPods();
            case 6:
                return renameHosts();
            case 7:
                final var links = FabricFile.entries(current.fabric(), "link");
                links.get(random.nextInt(links.size()))
                    .addProperty("capacity", "%d.0".formatted(5 + random.nextInt(9)));
                return "capacity of a link";
            default:
                return movable.isEmpty() ? rename(1) : move(movable.get(random.nextInt(movable.size())));
        }
    }

    /** Gives one switch a new name, or lets several take each other's in a circle. */
    private String rename(final int size) {
        final var nodes = new ArrayList<>(names.keySet());
        Collections.sort(nodes);
        Collections.shuffle(nodes, random);
        final var chosen = nodes.subList(0, size);
        final var renamed = new HashMap<String, String>();
        for (int index = 0; index < size; index++) {
            renamed.put(nameOf(chosen.get(index)),
                size == 1 ? "name-" + count : nameOf(chosen.get((index + 1) % size)));
        }
        current.rename(renamed);
        names.replaceAll((node, name) -> renamed.getOrDefault(name, name));
        return "names " + renamed;
    }

    private String renumberPods() {
        final int first = FabricFile.entries(current.fabric(), "pod").stream()
            .mapToInt(each -> each.get("id").getAsInt()).min().orElseThrow();
        final int shift = first > 20 ? 1 - first : 1 + random.nextInt(9);
        FabricFile.renumber(FabricFile.entries(current.fabric(), "pod"), "id", id -> id + shift);
        FabricFile.entries(current.fabric(), "plane").forEach(plane ->
            FabricFile.renumber(FabricFile.entries(plane, "leaf"), "pod", id -> id + shift));
        return "ids of the pods";
    }

    private String renameHosts() {
        final Consumer<JsonObject> rename = each -> each.addProperty("name",
            each.get("name").getAsString().replaceFirst("^(e[0-9]+-)?", "e" + count + "-"));
        for (var pod : FabricFile.entries(current.fabric(), "pod")) {
            FabricFile.entries(pod, "ros").forEach(rename);
            for (var rack : FabricFile.entries(pod, "hlt-rack")) {
                rename.accept(rack);
                FabricFile.entries(rack, "dcm").forEach(rename);
            }
        }
        return "names of all ROS, racks and DCMs";
    }

    private String move(final String node) {
        current.switchNamed(nameOf(node)).addProperty("bridge", "br-" + count);
        return "bridge of " + nameOf(node) + " on node " + node;
    }
}
