package org.daqfabric.it;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.daqfabric.it.Wiring.Cable;

/** Causes and repairs random faults of a fabric, and knows which are present. The faults follow from the seed alone. */
final class Faults {
    private static final int MAX_FAULTS = 4;

    private final LabFabric fabric;
    private final Wiring wiring;
    private final Random random;
    private final List<String> switches;
    private final List<String> core;
    private final List<FabricFile.Host> hosts;
    private final Edits edits;

    /** The present faults by description, with the action that repairs each. */
    private final SortedMap<String, Runnable> repairs = new TreeMap<>();
    private final SortedSet<String> cut = new TreeSet<>();
    private final SortedSet<String> stopped = new TreeSet<>();
    private final SortedSet<String> drained = new TreeSet<>();
    private final SortedSet<String> isolated = new TreeSet<>();
    /** The isolated switches since whose isolation something else has failed: what they need may have changed. */
    private final SortedSet<String> outdated = new TreeSet<>();
    private final List<String> log = new ArrayList<>();
    private boolean hasController = true;
    private int count;

    Faults(final LabFabric fabric, final long seed) {
        this.fabric = fabric;
        random = new Random(seed);
        wiring = new Wiring(fabric.file());
        hosts = List.copyOf(fabric.file().hosts().values());
        switches = fabric.file().switches();
        core = switches.stream().filter(name -> name.startsWith("p")).toList();
        edits = new Edits(fabric, random);
    }

    /** The edits of the fabric, to which these faults are adapted. */
    Edits edits() {
        return edits;
    }

    /** Makes an edit; a switch moves only if it can be reached. */
    void edit() {
        if (hasController) {
            log.add(edits.next(core.stream().filter(name -> !unreachable().contains(name)).toList()));
        }
    }

    /** Number of faults so far. */
    int count() {
        return count;
    }

    /** What has been done, in order. */
    List<String> log() {
        return log;
    }

    /** Sets whether the controller is running; without it no fault that needs it is caused or repaired. */
    void controller(final boolean running) {
        hasController = running;
    }

    /** Causes a fault, or repairs one if there are enough. */
    void next() {
        final var repairable = repairs.keySet().stream().filter(what -> hasController || !what.startsWith("undrain"))
            .toList();
        if (!repairable.isEmpty() && (repairs.size() >= MAX_FAULTS || random.nextInt(3) == 0)) {
            repair(pick(repairable));
            return;
        }
        final var name = pick(switches);
        switch (random.nextInt(9)) {
            case 0, 1 -> cut(pick(wiring.cables()));
            case 2 -> flap(pick(wiring.cables()));
            case 3 -> kill(name);
            case 4 -> freeze(name);
            case 5 -> restart(name, random.nextInt(3) == 0);
            case 6 -> drain(random.nextBoolean() ? "switch=" + pick(core) : link(pick(wiring.cables())));
            case 7 -> edit(name);
            default -> isolate(name);
        }
    }

    void repairAll() {
        List.copyOf(repairs.keySet()).forEach(this::repair);
    }

    /** Switches that the controller cannot reach, by their present names. */
    Set<String> unreachableNow() {
        return unreachable().stream().map(edits::nameOf).collect(Collectors.toSet());
    }

    private Set<String> unreachable() {
        final var unreachable = new TreeSet<>(stopped);
        unreachable.addAll(isolated);
        return unreachable;
    }

    /** Failed links of which at least one end can report the failure. */
    Set<String> noticeableLinks() {
        final var unreachable = unreachable();
        return wiring.cables().stream().filter(cable -> !isWhole(cable))
            .filter(cable -> !(unreachable.contains(cable.switchName()) && unreachable.contains(cable.peer())))
            .map(cable -> edits.nameOf(cable.switchName()) + ":" + cable.port()).collect(Collectors.toSet());
    }

    /** Pairs that must reach each other without the switches that would have to be changed and cannot be. */
    Set<Set<String>> pairs() {
        return wiring.pairs(wiring.cables().stream().filter(this::isWhole)
            .filter(cable -> !drained.contains(link(cable))
                && Stream.of(cable.switchName(), cable.peer())
                    .noneMatch(name -> outdated.contains(name) || drained.contains("switch=" + name))).toList());
    }

    private boolean isWhole(final Cable cable) {
        return !cut.contains(cable.name()) && !stopped.contains(cable.switchName()) && !stopped.contains(cable.peer());
    }

    private void cut(final Cable cable) {
        if (cut.add(cable.name())) {
            fault("cut", cable.name());
            fabric.daqlab("cut", cable.switchName(), cable.port());
            repairs.put("restore " + cable.name(), () -> {
                cut.remove(cable.name());
                fabric.daqlab("restore", cable.switchName(), cable.port());
            });
        }
    }

    private void flap(final Cable cable) {
        if (!cut.contains(cable.name())) {
            fault("flap", cable.name());
            fabric.daqlab("flap", cable.switchName(), cable.port(), "--times", "3", "--interval", "0.1");
        }
    }

    private void kill(final String name) {
        if (!unreachable().contains(name)) {
            stopped.add(name);
            fault("kill", name);
            fabric.daqlab("kill", name);
            final boolean empty = random.nextInt(3) == 0;
            repairs.put("restart " + name + (empty ? " empty" : ""), () -> start(name, empty));
        }
    }

    private void restart(final String name, final boolean empty) {
        if (!unreachable().contains(name)) {
            fault("restart", name + (empty ? " empty" : ""));
            fabric.daqlab("kill", name);
            start(name, empty);
        }
    }

    private void start(final String name, final boolean empty) {
        stopped.remove(name);
        if (empty) {
            fabric.daqlab("restart", name, "--empty");
        } else {
            fabric.daqlab("restart", name);
        }
    }

    private void freeze(final String name) {
        if (!unreachable().contains(name)) {
            stopped.add(name);
            fault("freeze", name);
            fabric.daqlab("freeze", name);
            repairs.put("thaw " + name, () -> {
                stopped.remove(name);
                fabric.daqlab("thaw", name);
            });
        }
    }

    private void isolate(final String name) {
        if (!unreachable().contains(name)) {
            fault("isolate", name);
            isolated.add(name);
            fabric.daqlab("isolate", name);
            repairs.put("rejoin " + name, () -> {
                isolated.remove(name);
                outdated.remove(name);
                fabric.daqlab("rejoin", name);
            });
        }
    }

    private void drain(final String what) {
        if (hasController && drained.add(what)) {
            fault("drain", what);
            admin(what, "drained");
            repairs.put("undrain " + what, () -> {
                drained.remove(what);
                admin(what, "in-service");
            });
        }
    }

    private void admin(final String what, final String state) {
        final var key = what.substring(what.indexOf('=') + 1).split(",");
        edits.admin(key[0], key.length > 1 ? key[1] : "", state);
    }

    private static String link(final Cable cable) {
        return "link=" + cable.switchName() + "," + cable.port();
    }

    private void edit(final String name) {
        if (!unreachable().contains(name)) {
            final var host = pick(hosts);
            fault("edit", name + " for " + host.name());
            if (random.nextBoolean()) {
                fabric.ofctl(name, "del-flows", "ip,nw_dst=" + host.address());
            } else {
                fabric.ofctl(name, "mod-flows", "ip,nw_dst=" + host.address() + ",actions=drop");
            }
            // a starting controller reads all switches anyway
            if (hasController) {
                fabric.resync(edits.nameOf(name));
            }
        }
    }

    private void repair(final String what) {
        log.add(what);
        repairs.remove(what).run();
    }

    private void fault(final String what, final String where) {
        count++;
        outdated.addAll(isolated);
        log.add(what + " " + where);
    }

    private <T> T pick(final List<T> all) {
        return all.get(random.nextInt(all.size()));
    }
}
