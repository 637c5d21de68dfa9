package org.daqfabric.impl.engine.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.Seeds;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.LinkDirection;
import org.daqfabric.impl.engine.topology.Topology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Links that lose all packets are found, and no others. */
class ProverTest {
    private static final int CASES = 60;
    /** What part 13 promises: a dead path is noticed within a second. */
    private static final long NOTICED_MILLIS = 1000;

    private static ProofNetwork network(FabricSpec spec, Random random) {
        Topology topology = new Topology(spec);
        return new ProofNetwork(spec, UnusableLinks.ALL_UP, topology.roles().keySet(), random);
    }

    /** Every direction that some packet can take is taken by a chain, and has a path of its own. */
    @Test
    void everyDirectionOfThePrototypeIsProven() {
        ProofNetwork network = network(TestFabrics.prototype(), new Random(1));
        ProofPlan plan = network.plan(UnusableLinks.ALL_UP, Set.of());

        int links = network.topology.spec().links().size();
        Set<PortId> taken = plan.chains().stream().flatMap(path -> path.directions().stream()).map(LinkDirection::out)
            .collect(Collectors.toSet());
        assertThat(plan.direct()).hasSize(2 * links);
        assertThat(taken).hasSize(2 * links);
        assertThat(plan.chains().size()).isLessThan(links);
    }

    /** Less than half as many chains as directions: that costs a farm of thousands of hosts little (docs/design.md). */
    @Test
    void fewPacketsProveManyDirections() {
        ProofNetwork network = network(TestFabrics.atlas(), new Random(1));
        ProofPlan plan = network.plan(UnusableLinks.ALL_UP, Set.of());

        assertThat(plan.direct()).hasSize(2 * network.topology.spec().links().size());
        long directions = plan.chains().stream().flatMap(path -> path.directions().stream()).distinct().count();
        assertThat(List.of((long) plan.chains().size(), directions)).containsExactly(636L, 1520L);
    }

    /** No daqring has to carry what its neighbours could. */
    @Test
    void chainsEndAtAllHostsOfASwitchInTurn() {
        ProofNetwork network = network(TestFabrics.prototype(), new Random(1));
        ProofPlan plan = network.plan(UnusableLinks.ALL_UP, Set.of());

        network.topology.edges().forEach((edge, hosts) -> {
            List<Long> chains = hosts.stream().filter(host -> host.isDcm() || hosts.stream().noneMatch(Endpoint::isDcm))
                .map(host -> plan.chains().stream().filter(path -> path.destination().equals(host.address())).count())
                .toList();
            assertThat(Collections.max(chains) - Collections.min(chains)).as(edge).isLessThanOrEqualTo(1);
        });
    }

    /** Links or switches that are busy are left to those who use them. */
    @Test
    void wherePacketsTakeLongFewerAreSent() {
        ProofNetwork network = network(TestFabrics.prototype(), new Random(2));
        network.run(2000);
        final long usual = network.sentIn(10_000);
        network.latency = 200;
        network.run(10_000);
        assertThat(network.sentIn(10_000)).isLessThan(usual / 2);
        assertThat(network.prover.silent()).isEmpty();

        network.latency = 5;
        network.run(10_000);
        assertThat(network.sentIn(10_000)).isEqualTo(usual);
    }

    /** Where packets take long a direction is not taken for silent, and one that is silent is found later. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void silentDirectionsAreFoundWherePacketsTakeLong(long seed) {
        silentDirectionsAreFound(seed, network -> network.latency = 150, 20_000, 10 * NOTICED_MILLIS,
            (network, about) -> { });
    }

    /**
     * In ten fabrics each, no direction is taken for silent until one is, which is found.
     *
     * @param trouble begins at first
     * @param quiet ms for which all is as it is
     * @param noticed ms within which a silent direction is found
     * @param then goes on where one is found, with what it is about
     */
    private static void silentDirectionsAreFound(long seed, Consumer<ProofNetwork> trouble, long quiet, long noticed,
            BiConsumer<ProofNetwork, String> then) {
        for (int number = 0; number < 10; number++) {
            Random random = new Random(seed + number);
            ProofNetwork network = network(TestFabrics.prototype(), random);
            trouble.accept(network);
            network.run(quiet);
            assertThat(network.prover.silent()).as("seed %d case %d", seed, number).isEmpty();
            List<LinkDirection> all = new ArrayList<>(network.plan(UnusableLinks.ALL_UP, Set.of()).direct().keySet());
            LinkDirection dead = all.get(random.nextInt(all.size()));
            network.dead.add(dead.out());
            network.run(noticed);
            String about = "seed %d case %d: %s".formatted(seed, number, dead);
            assertThat(network.prover.silent()).as(about + " dead").containsExactly(dead);
            then.accept(network, about);
        }
    }

    /** Packets that come late now and then put off neither that a direction is found silent nor that it returns. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void silentDirectionsAreFoundWherePacketsComeLateNowAndThen(long seed) {
        silentDirectionsAreFound(seed, network -> network.late = 0.05, 60_000, 5 * NOTICED_MILLIS, (network, about) -> {
            network.dead.clear();
            network.run(2 * Prover.TO_RETURN * 250L);
            assertThat(network.prover.silent()).as(about + " back").isEmpty();
        });
    }

    /** A packet that is only late is no reason to examine what it took, at once or later. */
    @Test
    void packetsThatAreOnlyLateCostLittle() {
        ProofNetwork network = network(TestFabrics.atlas(), new Random(7));
        network.run(2000);
        final long usual = network.sentIn(10_000);
        network.late = 0.05;
        assertThat(network.sentIn(10_000)).isLessThan(usual * 4 / 3);
    }

    /** Packets that wait for the controller have not taken long. */
    @Test
    void asManyAreSentAfterAPauseOfTheController() {
        ProofNetwork network = network(TestFabrics.prototype(), new Random(2));
        network.run(2000);
        final long usual = network.sentIn(10_000);
        for (int pause = 0; pause < 5; pause++) {
            network.stopsUntil = network.now + 3000 * ProofNetwork.MILLI;
            network.run(5000);
        }
        assertThat(network.sentIn(10_000)).isEqualTo(usual);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void silentDirectionsAreFoundInTimeAndReturn(long seed) {
        for (int number = 0; number < CASES; number++) {
            Random random = new Random(seed + number);
            FabricSpec spec = TestFabrics.generatedWithBuilders(random);
            ProofNetwork network = network(spec, random);
            final ProofPlan plan = network.plan(UnusableLinks.ALL_UP, Set.of());
            network.run(2000);
            assertThat(network.prover.silent()).as("seed %d case %d: at first", seed, number).isEmpty();

            List<LinkDirection> all = new ArrayList<>(plan.direct().keySet());
            if (all.isEmpty()) {
                continue;
            }
            LinkDirection dead = all.get(random.nextInt(all.size()));
            boolean onlyLarge = random.nextBoolean();
            (onlyLarge ? network.deadForLarge : network.dead).add(dead.out());
            network.run(NOTICED_MILLIS);
            boolean isTaken = plan.chains().stream().anyMatch(path -> path.directions().contains(dead));
            assertThat(network.prover.silent()).as("seed %d case %d: %s dead", seed, number, dead)
                .isEqualTo(isTaken ? Set.of(dead) : Set.of());

            network.run(3000);
            assertThat(network.prover.silent()).as("seed %d case %d: %s dead", seed, number, dead)
                .isEqualTo(isTaken ? Set.of(dead) : Set.of());
            network.dead.clear();
            network.deadForLarge.clear();
            network.run((Prover.TO_RETURN + 2) * 250L);
            assertThat(network.prover.silent()).as("seed %d case %d: %s back", seed, number, dead).isEmpty();
        }
    }

    /** Few packets a second for each of many chains are enough to find a silent direction in time. */
    @Test
    void silentDirectionsOfManyChainsAreFoundInTime() {
        Random random = new Random(3);
        ProofNetwork network = network(TestFabrics.atlas(), random);
        List<LinkDirection> all = network.plan(UnusableLinks.ALL_UP, Set.of()).chains().stream()
            .flatMap(path -> path.directions().stream()).toList();
        network.run(2000);
        assertThat(network.sentIn(5000)).isLessThan(5 * 1300);
        for (int number = 0; number < 5; number++) {
            LinkDirection dead = all.get(random.nextInt(all.size()));
            network.dead.add(dead.out());
            network.run(NOTICED_MILLIS);
            assertThat(network.prover.silent()).as("case %d: %s dead", number, dead).containsExactly(dead);
            network.dead.clear();
            network.run((Prover.TO_RETURN + 2) * 250L);
            assertThat(network.prover.silent()).as("case %d: %s back", number, dead).isEmpty();
        }
    }

    /**
     * A leaf or spine that is out of reach and lets nothing pass is mute until a packet passes or it is connected;
     * whoever else is out of reach, no link is silent, and no switch is mute that forwards.
     */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void aSwitchOutOfReachWithoutRulesIsFound(long seed) {
        for (int number = 0; number < CASES; number++) {
            Random random = new Random(seed + number);
            ProofNetwork network = network(TestFabrics.generatedWithBuilders(random), random);
            List<String> switches = new ArrayList<>(network.topology.roles().keySet());
            String empty = switches.get(random.nextInt(switches.size()));
            network.away.add(empty);
            for (int more = random.nextInt(3); more > 0; more--) {
                network.away.add(switches.get(random.nextInt(switches.size())));
            }
            String about = "seed %d case %d: %s of %s".formatted(seed, number, empty, network.away);
            network.run(3000);
            assertThat(network.prover.mute()).as(about).isEmpty();

            network.empty.add(empty);
            network.run(2 * NOTICED_MILLIS);
            boolean isShown = network.isShownByOthers(empty);
            assertThat(network.prover.mute()).as(about).isEqualTo(isShown ? Set.of(empty) : Set.of());
            assertThat(network.prover.silent()).as(about).isEmpty();

            if (random.nextBoolean()) {
                network.empty.clear();
            } else {
                network.away.clear();
            }
            network.run(2 * NOTICED_MILLIS);
            assertThat(network.prover.mute()).as(about).isEmpty();
        }
    }

    /** A leaf out of reach that stands still for a moment keeps packets waiting: it has its rules. */
    @Test
    void aSwitchOutOfReachThatStandsStillForAMomentIsNotMute() {
        ProofNetwork network = network(TestFabrics.prototype(), new Random(6));
        String leaf = network.topology.leaf(1, 1);
        network.away.add(leaf);
        network.run(3000);
        for (int pause = 0; pause < 20; pause++) {
            network.empty.add(leaf);
            network.run(900);
            assertThat(network.prover.mute()).isEmpty();
            network.empty.clear();
            network.run(3000);
            assertThat(network.prover.mute()).isEmpty();
        }
    }

    /** Switches that do not answer, full daqrings and pauses of the controller prove nothing. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void noOtherTroubleMakesALinkSilent(long seed) {
        for (int number = 0; number < CASES; number++) {
            Random random = new Random(seed + number);
            ProofNetwork network = network(TestFabrics.generatedWithBuilders(random), random);
            List<String> switches = new ArrayList<>(network.topology.roles().keySet());
            for (int step = 0; step < 10; step++) {
                network.standing.clear();
                for (int more = random.nextInt(3); more > 0; more--) {
                    network.standing.add(switches.get(random.nextInt(switches.size())));
                }
                network.latency = random.nextInt(3) == 0 ? 1 + random.nextInt(100) : 5;
                network.ringsDrop = random.nextInt(3) == 0 ? random.nextDouble() : 0;
                network.stopsUntil = random.nextInt(4) == 0 ? network.now + random.nextInt(2000) * ProofNetwork.MILLI
                    : 0;
                network.run(1000);
                assertThat(network.prover.silent()).as("seed %d case %d step %d: %s standing, rings drop %s", seed,
                    number, step, network.standing, network.ringsDrop).isEmpty();
            }
        }
    }

    /** Where no packet passes by any link, as where all nodes drop proofs, no link is at fault. */
    @Test
    void silenceOfAllMakesNoLinkSilent() {
        ProofNetwork network = network(TestFabrics.prototype(), new Random(4));
        network.run(2000);
        network.topology.spec().links().forEach(link -> network.dead.addAll(List.of(link.end(), link.peer())));
        network.run(20_000);
        assertThat(network.prover.silent()).isEmpty();
        network.dead.clear();
        network.run(5000);
        assertThat(network.prover.silent()).isEmpty();
    }

    /** A link that loses some packets is not silent. */
    @Test
    void aLossyLinkIsNotSilent() {
        ProofNetwork network = network(TestFabrics.prototype(), new Random(3));
        network.topology.spec().links().forEach(link -> network.lossy.put(link.end(), 0.02));
        network.run(20_000);
        assertThat(network.prover.silent()).isEmpty();
        assertThat(network.dropped).isPositive();
    }

    /** Large packets that never passed are perhaps none that hosts send. */
    @Test
    void largePacketsCountOnceTheyHavePassed() {
        ProofNetwork network = network(TestFabrics.prototype(), new Random(4));
        network.topology.spec().links().forEach(link -> {
            network.deadForLarge.add(link.end());
            network.deadForLarge.add(link.peer());
        });
        network.run(5000);
        assertThat(network.prover.silent()).isEmpty();
    }

    /** A silent link stays silent while it is out of use, and packets return by it only when both sizes pass. */
    @Test
    void aSilentLinkIsProvenWhileItIsOutOfUse() {
        ProofNetwork network = network(TestFabrics.prototype(), new Random(5));
        network.run(1000);
        PortId link = network.topology.spec().links().get(0).end();
        network.dead.add(link);
        network.run(NOTICED_MILLIS);
        Set<PortId> silent = new HashSet<>(Set.of(link));
        assertThat(network.prover.silent()).extracting(LinkDirection::link).containsExactly(link);

        network.plan(new UnusableLinks(silent), silent);
        network.run(2000);
        assertThat(network.prover.silent()).extracting(LinkDirection::link).containsExactly(link);
        network.dead.clear();
        network.deadForLarge.add(link);
        network.run(4000);
        assertThat(network.prover.silent()).extracting(LinkDirection::link).containsExactly(link);
        network.deadForLarge.clear();
        network.run(4000);
        assertThat(network.prover.silent()).isEmpty();
    }

    /** What arrives by a link that has gone down by itself meanwhile says nothing of it, and it is looked at anew. */
    @ParameterizedTest(name = "after {0} ms")
    @ValueSource(ints = {50, 100, 150, 200, 250, 300})
    void aSilentLinkThatWentDownIsFoundAgain(int after) {
        ProofNetwork network = network(TestFabrics.prototype(), new Random(5));
        network.run(1000);
        PortId link = network.topology.spec().links().get(0).end();
        network.dead.add(link);
        network.run(NOTICED_MILLIS);
        assertThat(network.prover.silent()).extracting(LinkDirection::link).containsExactly(link);

        network.dead.clear();
        network.latency = 100;
        network.run(after);
        network.prover.leave(Set.of(link), Set.of());
        network.run(1000);
        network.prover.leave(Set.of(), Set.of());
        network.latency = 5;
        network.run(5000);
        assertThat(network.prover.silent()).isEmpty();
        network.dead.add(link);
        network.run(NOTICED_MILLIS);
        assertThat(network.prover.silent()).extracting(LinkDirection::link).containsExactly(link);
    }
}
