package org.daqfabric.impl.controller;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.daqfabric.api.program.Action;
import org.daqfabric.api.program.Group;
import org.daqfabric.api.program.Match;
import org.daqfabric.api.program.Message;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.program.Rule;
import org.daqfabric.api.spec.AdminState;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Ipv4;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.impl.engine.RandomEdits;
import org.daqfabric.impl.engine.RandomLabels;
import org.daqfabric.impl.engine.diff.Applied;
import org.daqfabric.impl.engine.topology.Segment;
import org.daqfabric.impl.engine.topology.Topology;
import org.daqfabric.impl.memory.MemoryNetwork;

/** Injects random faults, logs each in words, and repairs them. */
final class Faults {
    enum Kind {
        CUT, BURST, FLAP, SILENT, KILL, FREEZE, ISOLATE, BLIP, REFUSE, FAIL_READS, EDIT, DRAIN, NEW_CONTROLLER, STORE,
        /** Labels in the configuration change. */
        LABELS,
        /** A link is not in the configuration for a while. */
        REMOVE_LINK,
        /** The configuration changes for good. */
        CHANGE
    }

    /** Everything but edits of the configuration. */
    static final List<Kind> FAULTS = List.of(Kind.values()).subList(0, Kind.LABELS.ordinal());
    /** Everything. */
    static final List<Kind> ALL = List.of(Kind.values());

    private static final List<Duration> WAITS = List.of(Duration.ofMillis(50), Duration.ofMillis(150),
        Duration.ofMillis(900), Duration.ofSeconds(3), Duration.ofSeconds(8), Duration.ofSeconds(40));

    private final World world;
    private final MemoryNetwork network;
    /** The configuration without drains, in the labels of the beginning. */
    private FabricSpec spec;
    private final PairGuard guard;
    private final Random random;
    private final List<String> log;
    private final List<Segment> links = new ArrayList<>();
    private final List<String> switches;
    /** The node of each switch: a fault of one is a fault of all its switches. */
    private final Map<String, String> systemIds = new HashMap<>();
    private final List<Repair> repairs = new ArrayList<>();
    /** Nodes by system-id, and links, that have a fault. */
    private final Set<Object> faulty = new HashSet<>();
    /** The present configuration in the labels of the beginning. */
    private FabricSpec configured;
    /** What gives a configuration the present labels. */
    private UnaryOperator<FabricSpec> labels = UnaryOperator.identity();
    private final List<Kind> kinds;

    private record Repair(String text, Runnable action) {
    }

    Faults(World world, FabricSpec spec, PairGuard guard, List<Kind> kinds, Random random, List<String> log) {
        this.kinds = kinds;
        this.world = world;
        this.spec = spec;
        this.guard = guard;
        this.random = random;
        this.log = log;
        network = world.network;
        configured = spec;
        Topology topology = new Topology(spec);
        switches = List.copyOf(topology.roles().keySet());
        switches.forEach(name -> systemIds.put(name, topology.switchOf(name).systemId()));
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
            case BLIP -> {
                String name = any(switches);
                if (!faulty.contains(systemIds.get(name))) {
                    log.add(name + " loses its connections and connects again");
                    network.isolate(name);
                    network.reconnect(name);
                }
            }
            case REFUSE -> {
                int count = 1 + random.nextInt(2);
                String name = any(switches);
                log.add(name + " refuses " + count + " changes");
                network.refuse(name, count);
                repair(name + " accepts changes again", () -> network.refuse(name, 0));
            }
            case FAIL_READS -> {
                int count = 1 + random.nextInt(2);
                String name = any(switches);
                log.add(name + " fails " + count + " reads");
                network.failReads(name, count);
                repair(name + " can be read", () -> network.failReads(name, 0));
            }
            case EDIT -> edit();
            case DRAIN -> drain();
            case NEW_CONTROLLER -> {
                log.add("a new controller");
                newController();
            }
            case LABELS -> {
                UnaryOperator<FabricSpec> before = labels;
                UnaryOperator<FabricSpec> next = RandomLabels.of(before.apply(configured), random);
                labels = each -> next.apply(before.apply(each));
                log.add("other labels: " + labelled());
                world.manager.fabricChanged(labels.apply(configured));
            }
            case REMOVE_LINK -> removeLink();
            case CHANGE -> {
                RandomEdits edit = RandomEdits.of(spec, random);
                log.add("change " + edit.text());
                boolean whole = configured == spec;
                spec = edit.how().apply(spec);
                configure(whole ? spec : edit.how().apply(configured));
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
        String name = any(switches);
        if (faulty.add(systemIds.get(name))) {
            boolean withDatabase = random.nextBoolean();
            boolean keeping = random.nextBoolean();
            log.add(name + " is killed" + (withDatabase ? " with its database" : ""));
            network.kill(name, withDatabase);
            repair(name + " starts " + (keeping ? "with its rules" : "empty"), () -> network.revive(name, keeping));
        }
    }

    private void freeze() {
        String name = any(switches);
        if (faulty.add(systemIds.get(name))) {
            log.add(name + " freezes");
            network.freeze(name, true);
            repair(name + " thaws", () -> network.freeze(name, false));
        }
    }

    private void isolate() {
        String name = any(switches);
        if (faulty.add(systemIds.get(name))) {
            log.add(name + " is isolated");
            network.isolate(name);
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
        Ipv4 stranger = new Ipv4(rule.match().destination().map(Ipv4::bits).orElse(1) ^ 1 << 20);
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

    private void drain() {
        if (configured != spec) {
            return;
        }
        Optional<String> name = random.nextBoolean() ? Optional.of(any(switches)) : Optional.empty();
        PortId link = any(links).id();
        log.add("drain " + name.orElse(link.toString()));
        configure(new FabricSpec(spec.name(), spec.planes(), spec.pods(),
            spec.switches().stream().map(sw -> !name.equals(Optional.of(sw.name())) ? sw : new Switch(sw.name(),
                sw.systemId(), sw.ovsdbAddress(), sw.bridge(), sw.datapathType(), AdminState.DRAINED)).toList(),
            spec.links().stream().map(each -> name.isPresent() || !each.end().equals(link) ? each
                : new Link(each.end(), each.peer(), each.capacity(), AdminState.DRAINED)).toList(), spec.policy()));
        repair("nothing is drained", () -> configure(spec));
    }

    private void removeLink() {
        if (configured == spec) {
            PortId link = any(links).id();
            log.add("remove " + link);
            configure(new FabricSpec(spec.name(), spec.planes(), spec.pods(), spec.switches(),
                spec.links().stream().filter(each -> !each.end().equals(link)).toList(), spec.policy()));
            repair("nothing is removed", () -> configure(spec));
        }
    }

    /** The configuration in the labels of the beginning, once nothing is drained. */
    FabricSpec spec() {
        return spec;
    }

    private void configure(FabricSpec next) {
        configured = next;
        guard.configured(next);
        world.manager.fabricChanged(labels.apply(next));
    }

    /** The present names of switches by those of the beginning. */
    private Map<String, String> labelled() {
        List<Switch> now = labels.apply(configured).switches();
        Map<String, String> names = new TreeMap<>();
        for (int index = 0; index < now.size(); index++) {
            String before = configured.switches().get(index).name();
            if (!before.equals(now.get(index).name())) {
                names.put(before, now.get(index).name());
            }
        }
        return names;
    }

    void newController() {
        world.manager.close();
        world.start();
        network.reconnect();
        world.manager.fabricChanged(labels.apply(configured));
    }
}
