package org.daqfabric.impl.controller;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.program.Action;
import org.daqfabric.api.program.Group;
import org.daqfabric.api.program.Match;
import org.daqfabric.api.program.Message;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.program.Rule;
import org.daqfabric.api.spec.Address;
import org.daqfabric.impl.engine.diff.Applied;
import org.daqfabric.impl.engine.topology.Segment;
import org.daqfabric.impl.engine.topology.Topology;
import org.daqfabric.impl.memory.MemoryNetwork;

/** Injects random faults, logs each in words, and repairs them. */
final class Faults {
    enum Kind {
        CUT, BURST, FLAP, SILENT, KILL, FREEZE, ISOLATE,
        /** A switch that is isolated restarts. */
        RESTART_OUT_OF_REACH,
        BLIP, REFUSE, FAIL_READS, EDIT, DRAIN, NEW_CONTROLLER, STORE,
        /** Labels in the configuration change. */
        LABELS,
        /** A link is not in the configuration for a while. */
        REMOVE_LINK,
        /** The configuration changes for good. */
        CHANGE,
        FAIL_TRANSACTIONS,
        /** A spine is not in the configuration for a while. */
        REMOVE_SPINE,
        /** A switch gets another bridge or node. */
        MOVE,
        /** A spine becomes one of another plane. */
        OTHER_PLANE
    }

    /** Everything but edits of the configuration. */
    static final List<Kind> FAULTS = List.of(Kind.values()).subList(0, Kind.LABELS.ordinal());
    /** Everything. */
    static final List<Kind> ALL = List.of(Kind.values());

    private static final List<Duration> WAITS = List.of(Duration.ofMillis(50), Duration.ofMillis(150),
        Duration.ofMillis(900), Duration.ofSeconds(3), Duration.ofSeconds(8), Duration.ofSeconds(40));

    private final World world;
    private final MemoryNetwork network;
    private final ConfiguredFabric fabric;
    private final PairGuard guard;
    private final Random random;
    private final List<String> log;
    private final List<Segment> links = new ArrayList<>();
    private List<String> switches;
    private final List<Repair> repairs = new ArrayList<>();
    /** Nodes by system-id, and links, that have a fault. */
    private final Set<Object> faulty = new HashSet<>();
    private final List<Kind> kinds;

    private record Repair(String text, Runnable action) {
    }

    Faults(World world, ConfiguredFabric fabric, PairGuard guard, List<Kind> kinds, Random random, List<String> log) {
        this.kinds = kinds;
        this.world = world;
        this.fabric = fabric;
        this.guard = guard;
        this.random = random;
        this.log = log;
        network = world.network;
        list();
    }

    /** The switches and links that may have faults. */
    private void list() {
        Topology topology = new Topology(fabric.spec());
        switches = List.copyOf(topology.roles().keySet());
        links.clear();
        switches.forEach(name -> topology.segments(name).stream()
            .filter(segment -> segment.lower().switchName().equals(name)).forEach(links::add));
    }

    /** Injects one to three faults and repairs all in random order, with random pauses in between. */
    Set<Kind> sequence() {
        Set<Kind> injected = new HashSet<>();
        for (int count = 1 + random.nextInt(3); count > 0; count--) {
            Kind kind = any(kinds);
            injected.add(kind);
            inject(kind);
            pause();
        }
        Collections.shuffle(repairs, random);
        repairs.forEach(repair -> {
            log.add(repair.text());
            repair.action().run();
            pause();
        });
        repairs.clear();
        faulty.clear();
        fabric.newSequence();
        return injected;
    }

    private void pause() {
        switch (random.nextInt(3)) {
            case 0 -> {
                int steps = random.nextInt(30);
                log.add("  " + steps + " deliveries");
                while (steps-- > 0 && network.step()) {
                    // one by one
                }
            }
            case 1 -> {
                log.add("  all messages are delivered");
                world.settle();
            }
            default -> {
                Duration wait = WAITS.get(random.nextInt(WAITS.size()));
                log.add("  " + wait.toMillis() + " ms pass");
                world.pass(wait);
            }
        }
    }

    private void inject(Kind kind) {
        switch (kind) {
            case CUT -> cut();
            case BURST -> {
                cut();
                cut();
                cut();
            }
            case FLAP -> flap();
            case SILENT -> silent();
            case KILL -> kill();
            case FREEZE -> freeze();
            case ISOLATE -> isolate();
            case RESTART_OUT_OF_REACH -> restartOutOfReach();
            case BLIP -> {
                String name = any(switches);
                if (!faulty.contains(network.systemId(name))) {
                    log.add(name + " loses its connections and connects again");
                    network.isolate(name);
                    network.reconnect(name);
                }
            }
            case REFUSE -> {
                int count = 1 + random.nextInt(2);
                String name = network.lasting(any(switches));
                log.add(name + " refuses " + count + " changes");
                network.refuse(name, count);
                repair(name + " accepts changes again", () -> network.refuse(name, 0));
            }
            case FAIL_READS -> {
                int count = 1 + random.nextInt(2);
                String name = network.lasting(any(switches));
                log.add(name + " fails " + count + " reads");
                network.failReads(name, count);
                repair(name + " can be read", () -> network.failReads(name, 0));
            }
            case EDIT -> edit();
            case DRAIN -> {
                if (fabric.isWhole()) {
                    fabric.drain(random.nextBoolean() ? Optional.of(any(switches)) : Optional.empty(),
                        any(links).id(), this::repair);
                }
            }
            case NEW_CONTROLLER -> {
                log.add("a new controller");
                newController();
            }
            case LABELS -> fabric.otherLabels();
            case REMOVE_LINK -> {
                if (fabric.isWhole()) {
                    fabric.removeLink(any(links).id(), this::repair);
                }
            }
            case CHANGE -> fabric.change();
            case FAIL_TRANSACTIONS -> {
                int count = 1 + random.nextInt(3);
                String name = network.lasting(any(switches));
                log.add(name + " fails " + count + " transactions");
                network.failTransactions(name, count);
                repair(name + " works", () -> network.failTransactions(name, 0));
            }
            case REMOVE_SPINE -> fabric.removeSpine(this::repair);
            case MOVE -> fabric.move(any(switches));
            case OTHER_PLANE -> {
                fabric.moveToOtherPlane();
                list();
            }
            case STORE -> {
                log.add("the store fails");
                world.storeFails = true;
                repair("the store works", () -> world.storeFails = false);
            }
        }
    }

    private void repair(String text, Runnable action) {
        repairs.add(new Repair(text, action));
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private void cut() {
        Segment link = any(links);
        if (faulty.add(link.id())) {
            log.add("cut " + link.id());
            network.carrier(link, false);
            repair("restore " + link.id(), () -> network.carrier(link, true));
        }
    }

    private void flap() {
        Segment link = any(links);
        if (faulty.add(link.id())) {
            boolean visible = random.nextBoolean();
            for (int times = 2 + random.nextInt(3); times > 0; times--) {
                log.add("flap " + link.id());
                network.carrier(link, false);
                if (visible) {
                    world.settle();
                }
                network.carrier(link, true);
                if (visible) {
                    world.settle();
                }
            }
        }
    }

    private void silent() {
        Segment link = any(links);
        if (faulty.add(link.id())) {
            log.add(link.id() + " has carrier but carries no packets");
            network.silent(link, true);
            repair(link.id() + " carries packets again", () -> network.silent(link, false));
        }
    }

    private void kill() {
        String name = network.lasting(any(switches));
        if (faulty.add(network.systemId(name))) {
            boolean withDatabase = random.nextBoolean();
            boolean keeping = random.nextBoolean();
            log.add(name + " is killed" + (withDatabase ? " with its database" : ""));
            network.kill(name, withDatabase);
            repair(name + " starts " + (keeping ? "with its rules" : "empty"), () -> network.revive(name, keeping));
        }
    }

    private void freeze() {
        String name = network.lasting(any(switches));
        if (faulty.add(network.systemId(name))) {
            log.add(name + " freezes");
            network.freeze(name, true);
            repair(name + " thaws", () -> network.freeze(name, false));
        }
    }

    private void isolate() {
        String name = network.lasting(any(switches));
        if (faulty.add(network.systemId(name))) {
            log.add(name + " is isolated");
            network.isolate(name);
            repair(name + " reconnects", () -> network.reconnect(name));
        }
    }

    private void restartOutOfReach() {
        String name = network.lasting(any(switches));
        if (faulty.add(network.systemId(name))) {
            log.add(name + " is isolated, and restarts");
            network.kill(name, true);
            pause();
            network.start(name, false);
            repair(name + " reconnects", () -> network.reconnect(name));
        }
    }

    private void edit() {
        String name = any(switches);
        Program installed = network.programs().getOrDefault(name, Program.EMPTY);
        List<Rule> rules = List.copyOf(installed.rules().values());
        List<Group> groups = List.copyOf(installed.groups().values());
        int kind = random.nextInt(5);
        if (rules.isEmpty() || kind == 3 && groups.isEmpty()) {
            return;
        }
        Rule rule = any(rules);
        Address near = rule.match().destination().orElse(Address.ofIpv4(1));
        Address stranger = new Address(near.high(), near.low() ^ 1 << 20);
        Rule added = new Rule(rule.priority() + 7, Match.to(stranger), List.of(new Action.Output(1)));
        Message message = switch (kind) {
            case 0 -> new Message.DeleteRule(rule.key());
            case 1 -> new Message.PutRule(new Rule(rule.priority(), rule.match(), List.of()));
            case 2 -> new Message.PutRule(added);
            case 3 -> new Message.DeleteGroup(any(groups).id());
            default -> null;
        };
        if (message == null) {
            log.add("somebody adds a foreign rule to " + name);
            SortedMap<Rule.Key, Rule> foreign = new TreeMap<>(network.foreign(name).rules());
            foreign.put(added.key(), added);
            network.editForeign(name, new Program(foreign, new TreeMap<>()));
            return;
        }
        log.add("somebody edits " + name + ": " + message);
        guard.edited(name);
        network.edit(name, program -> Applied.to(program, List.of(message)));
    }

    void newController() {
        world.manager.close();
        world.start(fabric.relabelled());
        network.reconnect();
    }
}
