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

/** Breaks a fabric and mends it again, by chance, and knows what is broken. What it does follows from its seed alone. */
final class Faults {
    private static final int MOST_BROKEN = 4;

    private final LabFabric fabric;
    private final Restconf restconf;
    private final Wiring wiring;
    private final Random random;
    private final List<String> switches;
    private final List<String> core;
    private final List<FabricFile.Host> hosts;

    /** What is broken now, with what mends it. */
    private final SortedMap<String, Runnable> broken = new TreeMap<>();
    private final SortedSet<String> cut = new TreeSet<>();
    private final SortedSet<String> dead = new TreeSet<>();
    private final SortedSet<String> drained = new TreeSet<>();
    private final SortedSet<String> cutOff = new TreeSet<>();
    private final List<String> log = new ArrayList<>();
    private boolean hasController = true;
    private int count;

    Faults(final LabFabric fabric, final Restconf restconf, final long seed) {
        this.fabric = fabric;
        this.restconf = restconf;
        random = new Random(seed);
        wiring = new Wiring(fabric.file());
        hosts = List.copyOf(fabric.file().hosts().values());
        switches = fabric.file().switches();
        core = switches.stream().filter(name -> name.startsWith("p")).toList();
    }

    /** How many there were. */
    int count() {
        return count;
    }

    /** What was done, in order. */
    List<String> log() {
        return log;
    }

    /** From now on nothing that needs the controller is done, until it is there again. */
    void controller(final boolean isThere) {
        hasController = isThere;
    }

    /** One fault, or something mended where enough is broken. */
    void next() {
        final var mendable = broken.keySet().stream().filter(what -> hasController || !what.startsWith("undrain"))
            .toList();
        if (!mendable.isEmpty() && (broken.size() >= MOST_BROKEN || random.nextInt(3) == 0)) {
            mend(pick(mendable));
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

    void mendAll() {
        List.copyOf(broken.keySet()).forEach(this::mend);
    }

    /** Switches that the controller cannot reach. */
    Set<String> away() {
        final var away = new TreeSet<>(dead);
        away.addAll(cutOff);
        return away;
    }

    /** Links that somebody is there to tell the failure of. */
    Set<String> noticeable() {
        final var away = away();
        return wiring.cables().stream().filter(cable -> !isWhole(cable))
            .filter(cable -> !(away.contains(cable.switchName()) && away.contains(cable.peer())))
            .map(Cable::name).collect(Collectors.toSet());
    }

    /** Pairs that must answer each other. Nothing is asked of switches that cannot be told what has changed. */
    Set<Set<String>> pairs() {
        return wiring.pairs(wiring.cables().stream().filter(this::isWhole)
            .filter(cable -> !drained.contains(link(cable))
                && Stream.of(cable.switchName(), cable.peer())
                    .noneMatch(name -> cutOff.contains(name) || drained.contains("switch=" + name))).toList());
    }

    private boolean isWhole(final Cable cable) {
        return !cut.contains(cable.name()) && !dead.contains(cable.switchName()) && !dead.contains(cable.peer());
    }

    private void cut(final Cable cable) {
        if (cut.add(cable.name())) {
            fault("cut", cable.name());
            fabric.daqlab("cut", cable.switchName(), cable.port());
            broken.put("restore " + cable.name(), () -> {
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
        if (!away().contains(name)) {
            dead.add(name);
            fault("kill", name);
            fabric.daqlab("kill", name);
            final boolean empty = random.nextInt(3) == 0;
            broken.put("restart " + name + (empty ? " empty" : ""), () -> start(name, empty));
        }
    }

    private void restart(final String name, final boolean empty) {
        if (!away().contains(name)) {
            fault("restart", name + (empty ? " empty" : ""));
            fabric.daqlab("kill", name);
            start(name, empty);
        }
    }

    private void start(final String name, final boolean empty) {
        dead.remove(name);
        if (empty) {
            fabric.daqlab("restart", name, "--empty");
        } else {
            fabric.daqlab("restart", name);
        }
    }

    private void freeze(final String name) {
        if (!away().contains(name)) {
            dead.add(name);
            fault("freeze", name);
            fabric.daqlab("freeze", name);
            broken.put("thaw " + name, () -> {
                dead.remove(name);
                fabric.daqlab("thaw", name);
            });
        }
    }

    private void isolate(final String name) {
        if (!away().contains(name)) {
            cutOff.add(name);
            fault("isolate", name);
            fabric.daqlab("isolate", name);
            broken.put("rejoin " + name, () -> {
                cutOff.remove(name);
                fabric.daqlab("rejoin", name);
            });
        }
    }

    private void drain(final String what) {
        if (hasController && drained.add(what)) {
            fault("drain", what);
            admin(what, "drained");
            broken.put("undrain " + what, () -> {
                drained.remove(what);
                admin(what, "in-service");
            });
        }
    }

    private void admin(final String what, final String state) {
        restconf.put(fabric.path() + "/" + what + "/admin-state", "{\"daqfabric:admin-state\": \"" + state + "\"}")
            .orFail();
    }

    private static String link(final Cable cable) {
        return "link=" + cable.switchName() + "," + cable.port();
    }

    private void edit(final String name) {
        if (!away().contains(name)) {
            final var host = pick(hosts);
            fault("edit", name + " for " + host.name());
            if (random.nextBoolean()) {
                fabric.ofctl(name, "del-flows", "ip,nw_dst=" + host.address());
            } else {
                fabric.ofctl(name, "mod-flows", "ip,nw_dst=" + host.address() + ",actions=drop");
            }
            // a controller that starts reads all switches
            if (hasController) {
                fabric.resync(name);
            }
        }
    }

    private void mend(final String what) {
        log.add(what);
        broken.remove(what).run();
    }

    private void fault(final String what, final String where) {
        count++;
        log.add(what + " " + where);
    }

    private <T> T pick(final List<T> all) {
        return all.get(random.nextInt(all.size()));
    }
}
