package org.daqfabric.impl.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.daqfabric.api.plan.Effect;
import org.daqfabric.api.plan.Effect.Count;
import org.daqfabric.api.plan.Effect.SwitchChange;
import org.daqfabric.api.plan.FabricParts;
import org.daqfabric.api.plan.WhatIf;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.api.program.Message;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FabricState.DcmPlacement;
import org.daqfabric.api.state.FabricState.PodPlacement;
import org.daqfabric.api.state.TrafficMatrix.Weights;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.check.FabricChecks;
import org.daqfabric.impl.engine.topology.Segment;
import org.daqfabric.impl.engine.topology.Topology;
import org.daqfabric.impl.engine.whatif.WhatIfQuestion;
import org.daqfabric.impl.memory.Knowledge;
import org.daqfabric.impl.memory.MemoryNetwork;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares plans with what a whole controller then does on a network in memory. */
class PlanAgreesTest {
    private static final int CASES = 200;
    /** Longer than new links may take to come up. */
    private static final Duration QUIET = Duration.ofSeconds(6);

    /** One fixed seed unless a property selects another, so that a build fails only by its own changes. */
    static LongStream seeds() {
        return LongStream.of(Long.getLong("daqfabric.seed", 1));
    }

    /** Drains, undrains, candidates and failures have the planned effects: every moved DCM and every message. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void planPredictsMovesAndMessages(long seed) {
        IntStream.range(0, CASES).parallel().forEach(number ->
            new Case(new Random(seed * 1_000_003 + number), "seed " + seed + " case " + number).run());
    }

    /** One fabric, one question and one change. */
    private static final class Case {
        private final String when;
        private final Random random;
        private final World world;
        private final FabricSpec spec;

        Case(Random random, String when) {
            this.random = random;
            this.when = when;
            Set<String> types = random.nextBoolean() ? Set.of("system", "daqring") : Set.of("system");
            world = new World(new MemoryNetwork(new Random(random.nextLong()), types));
            world.background = Runnable::run;
            spec = fabric();
        }

        /** A small fabric in which some pair is connected. */
        private FabricSpec fabric() {
            while (true) {
                FabricSpec made = random.nextInt(4) == 0
                    ? TestFabrics.regular("regular", 1 + random.nextInt(2), 1 + random.nextInt(3), 2, 1, 1, 1
                    + random.nextInt(4))
                    : TestFabrics.generatedWithBuilders(random);
                Topology topology = new Topology(made);
                if (made.switches().size() * topology.endpoints().size() < 80
                    && topology.endpoints().values().stream().map(each -> each.isDcm()).distinct().count() == 2
                    && !World.possible(made, Set.of()).isEmpty()) {
                    return made;
                }
            }
        }

        void run() {
            world.configure(spec);
            world.pass(QUIET);
            if (world.states.get(spec.name()).capacity().bandwidth() == 0) {
                return;
            }
            Link link = spec.links().get(random.nextInt(spec.links().size()));
            String name = spec.switches().get(random.nextInt(spec.switches().size())).name();
            FabricParts parts = random.nextBoolean() ? new FabricParts(List.of(), List.of(link.peer()))
                : new FabricParts(List.of(name), List.of());
            switch (random.nextInt(5)) {
                case 0 -> changed(WhatIf.drain(parts));
                case 1 -> {
                    FabricSpec drained = WhatIfQuestion.of(spec, WhatIf.drain(parts)).spec();
                    world.configure(drained);
                    world.pass(QUIET);
                    changed(WhatIf.undrain(parts));
                }
                case 2 -> assertAgrees(WhatIf.fail(parts), () -> fail(parts, name, link));
                case 3 -> changed(weights());
                default -> changed(FabricChecks.check(without(link)).isEmpty()
                    ? new WhatIf(Optional.of(without(link)), FabricParts.NONE, FabricParts.NONE, FabricParts.NONE,
                        Optional.empty())
                    : WhatIf.drain(parts));
            }
        }

        /** Any weights, as if they had been measured. */
        private WhatIf weights() {
            SortedMap<String, Double> ros = new TreeMap<>();
            SortedMap<String, Double> dcms = new TreeMap<>();
            new Topology(spec).endpoints().values().forEach(host ->
                (host.isDcm() ? dcms : ros).put(host.name(), Math.max(0.001, random.nextInt(4))));
            return new WhatIf(Optional.empty(), FabricParts.NONE, FabricParts.NONE, FabricParts.NONE,
                Optional.of(new Weights(ros, dcms, 0, "", 0)));
        }

        private FabricSpec without(Link link) {
            return new FabricSpec(spec.name(), spec.planes(), spec.pods(), spec.switches(),
                spec.links().stream().filter(each -> !each.equals(link)).toList(), spec.policy());
        }

        private void changed(WhatIf asked) {
            FabricSpec then = WhatIfQuestion.of(world.manager.spec(spec.name()), asked).spec();
            assertAgrees(asked, () -> world.manager.fabricChanged(then));
        }

        private void fail(FabricParts parts, String name, Link link) {
            if (parts.links().isEmpty()) {
                world.burst(() -> world.network.kill(name, random.nextBoolean()));
            } else {
                world.network.carrier(segment(link), false);
            }
        }

        private Segment segment(Link link) {
            return new Topology(spec).segments(link.end().switchName()).stream()
                .filter(each -> each.id().equals(link.end())).findFirst().orElseThrow();
        }

        private void assertAgrees(WhatIf asked, Runnable action) {
            String label = when + " " + asked;
            int sent = world.network.messages();
            Map<String, Program> installedBefore = world.network.programs();
            Map<String, SortedMap<String, Bridge.Port>> ports = ports();
            FabricState before = world.states.get(spec.name());
            var answer = world.manager.whatIf().plan(spec.name(), asked);
            world.settle();
            Effect plan = answer.toCompletableFuture().join();
            assertThat(world.network.messages()).as("%s: nothing is touched", label).isEqualTo(sent);
            assertThat(world.network.programs()).as(label).isEqualTo(installedBefore);

            Map<String, Integer> messages = new TreeMap<>();
            world.network.watch(new MemoryNetwork.Watcher() {
                @Override
                public void after(String switchName, Object change, Knowledge sentWith) {
                    if (change instanceof Message) {
                        messages.merge(switchName, 1, Integer::sum);
                    }
                }
            });
            // with parallel links the number of messages depends on when ports are created
            world.network.slowDatabases();
            action.run();
            world.pass(QUIET);
            FabricState after = world.states.get(spec.name());
            assertThat(asked.measured().isPresent() || plan.before().equals(before.capacity())).as(label).isTrue();
            assertThat(plan.after()).as(label).isEqualTo(after.capacity());
            assertThat(plan.moved()).as(label).isEqualTo(moved(before, after));
            assertThat(plan.messages()).as(label).isEqualTo(world.network.messages() - sent);
            Map<String, SwitchChange> planned = new TreeMap<>();
            plan.switches().forEach(each -> planned.put(each.name(), each));
            Map<String, Program> installedAfter = world.network.programs();
            for (String name : installedAfter.keySet()) {
                if (!asked.fail().switches().contains(name)) {
                    SwitchChange change = new SwitchChange(name, Optional.empty(),
                        count(installedBefore.get(name).rules(), installedAfter.get(name).rules(), each -> true),
                        count(installedBefore.get(name).groups(), installedAfter.get(name).groups(), each -> true),
                        count(ports.get(name), ports().get(name), port -> port.type().equals("daqring")),
                        count(ports.get(name), ports().get(name), port -> port.type().isEmpty()),
                        messages.getOrDefault(name, 0));
                    assertThat(planned.getOrDefault(name,
                        new SwitchChange(name, Optional.empty(), Count.NONE, Count.NONE, Count.NONE, Count.NONE, 0)))
                        .as(label).isEqualTo(change);
                }
            }
            long ros = spec.pods().stream().mapToLong(pod -> pod.ros().size()).sum();
            assertThat(plan.cutOff()).as(label).containsExactlyElementsOf(after.placements().stream()
                .filter(each -> each.reachableRos() < ros)
                .map(each -> new Effect.CutOff(each.dcm(), each.reachableRos())).toList());
        }

        private Map<String, SortedMap<String, Bridge.Port>> ports() {
            Map<String, SortedMap<String, Bridge.Port>> ports = new HashMap<>();
            world.network.programs().keySet().forEach(name ->
                ports.put(name, world.network.bridge(name).orElseThrow().ports()));
            return ports;
        }
    }

    private static <K, V> Count count(Map<K, V> before, Map<K, V> after, Predicate<V> kind) {
        List<K> had = before.entrySet().stream().filter(each -> kind.test(each.getValue())).map(Map.Entry::getKey)
            .toList();
        List<K> has = after.entrySet().stream().filter(each -> kind.test(each.getValue())).map(Map.Entry::getKey)
            .toList();
        return new Count((int) has.stream().filter(key -> !had.contains(key)).count(),
            (int) has.stream().filter(key -> had.contains(key) && !before.get(key).equals(after.get(key))).count(),
            (int) had.stream().filter(key -> !has.contains(key)).count());
    }

    private static List<Effect.Move> moved(FabricState before, FabricState after) {
        Map<String, DcmPlacement> old = new HashMap<>();
        before.placements().forEach(each -> old.put(each.dcm(), each));
        List<Effect.Move> moved = new ArrayList<>();
        for (DcmPlacement now : after.placements()) {
            DcmPlacement was = old.get(now.dcm());
            if (was.plane() != 0 && now.plane() != 0 && (was.plane() != now.plane() || was.spine() != now.spine()
                || !ways(was, now).equals(ways(now, was)))) {
                moved.add(new Effect.Move(now.dcm(), place(was), place(now)));
            }
        }
        return moved;
    }

    /** The ways of packets from those pods from which they took or take another way than from others. */
    private static List<PodPlacement> ways(DcmPlacement of, DcmPlacement other) {
        return Stream.concat(of.fromPods().stream(), other.fromPods().stream()).map(PodPlacement::pod).distinct()
            .sorted().map(pod -> of.fromPods().stream().filter(each -> each.pod() == pod).findFirst()
                .orElse(new PodPlacement(pod, of.plane(), of.spine()))).toList();
    }

    private static Effect.Place place(DcmPlacement of) {
        return new Effect.Place(of.plane(), of.spine() == 0 ? OptionalInt.empty() : OptionalInt.of(of.spine()));
    }
}
