package org.daqfabric.impl.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.daqfabric.api.spec.Dcm;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.api.state.DropEpisode;
import org.daqfabric.api.state.RingDrops;
import org.daqfabric.impl.controller.spi.PathProver;
import org.daqfabric.impl.engine.proof.PairReport;
import org.daqfabric.impl.runcontrol.Request;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Episodes of drops that switches report, and the runs they were in. */
class DropLogTest extends AbstractRunControlTest {
    private final Switch spine = topology.switchOf(topology.spines(1).get(1));
    private final List<Dcm> dcms = spec.pods().get(0).racks().get(0).dcms();

    /** The switch tells what it has held back, as it connects. */
    private void report(Dcm dcm, Instant begin, long dropped) {
        report(dcm, begin, dropped, false);
    }

    private void report(Dcm dcm, Instant begin, long dropped, boolean isNow) {
        world.manager.ringsDropped(spine.systemId(), spine.bridge(), new TreeMap<>(Map.of(
            "ring-" + dcm.address() + "-" + spine.bridge(),
            new RingDrops(begin, Duration.ZERO, dropped, 100, 1, "0 100"))), isNow);
        world.settle();
    }

    private List<DropEpisode> drops() {
        return world.states.get(spec.name()).drops();
    }

    private void run(long number) {
        assertThat(start("det", number).refusal()).isEmpty();
        world.pass(Duration.ofSeconds(60));
    }

    /** The run of the DCM's partition at the time of the first drop, also if the report comes when it has ended. */
    @Test
    void episodeIsInTheRunOfItsTime() {
        final Instant idle = world.now;
        world.pass(Duration.ofSeconds(10));
        prepare("det", ALL, names(dcms.get(0).name()), 0);
        arm("det");
        final Instant ready = world.now;
        world.pass(Duration.ofSeconds(10));
        run(7);
        final Instant running = world.now;
        report(dcms.get(0), running, 5);
        assertThat(drops()).singleElement().satisfies(each -> {
            assertThat(each.run()).contains(new DropEpisode.Run("det", 7));
            assertThat(each.switchName() + " " + each.dcm()).isEqualTo(spine.name() + " " + dcms.get(0).name());
            assertThat(each.drops().dropped()).isEqualTo(5);
        });
        world.pass(Duration.ofSeconds(10));
        stop("det");
        ask(new Request.Release(id(), "det"));
        report(dcms.get(0), running, 9);
        report(dcms.get(1), running, 1);
        report(dcms.get(0), ready, 1);
        report(dcms.get(0), idle, 1);
        assertThat(drops()).extracting(DropEpisode::run).filteredOn(Optional::isPresent)
            .containsExactly(Optional.of(new DropEpisode.Run("det", 7)));
        assertThat(drops()).hasSize(4).first().satisfies(each -> assertThat(each.drops().dropped()).isEqualTo(9));
    }

    /** A node whose clock is wrong hides no drops of its own behind those of others, and not their run. */
    @ParameterizedTest
    @ValueSource(ints = {-3600, -100, 3600})
    void dropsAreSeenWhateverTheClockOfTheirSwitchSays(int seconds) {
        prepare("det", ALL, ALL, 0);
        arm("det");
        run(7);
        for (int number = 0; number < 60; number++) {
            world.pass(Duration.ofSeconds(1));
            report(dcms.get(0), world.now, 1, true);
        }
        final Instant told = world.now;
        final Instant begin = told.plusSeconds(seconds);
        for (int dropped : new int[] { 5, 9 }) {
            report(dcms.get(1), begin, dropped, true);
            assertThat(drops()).hasSize(50).first().satisfies(each -> {
                assertThat(each.dcm()).isEqualTo(dcms.get(1).name());
                assertThat(each.drops().dropped()).isEqualTo(dropped);
                assertThat(each.began()).isEqualTo(told);
                assertThat(each.run()).contains(new DropEpisode.Run("det", 7));
                assertThat(each.inWords()).contains("from " + told + " on (the clock of " + spine.name() + " said "
                    + begin + ": set it right), in run 7");
            });
            world.pass(Duration.ofSeconds(10));
        }
        stop("det");
        world.pass(Duration.ofSeconds(10));
        report(dcms.get(1), begin.plusSeconds(200), 1, true);
        assertThat(drops()).first().satisfies(each -> assertThat(each.run()).isEmpty());
    }

    /** Of what was held back only the node knows when it was; before now it was in any case. */
    @Test
    void whatWasHeldBackIsByTheClockOfItsSwitch() {
        report(dcms.get(0), world.now.minusSeconds(3600), 1);
        assertThat(drops()).singleElement()
            .satisfies(each -> assertThat(each.began()).isEqualTo(each.drops().begin()));
        report(dcms.get(0), world.now.plusSeconds(3600), 1);
        assertThat(drops()).first().satisfies(each -> assertThat(each.began()).isEqualTo(world.now));
    }

    /** A controller that starts while a run goes on is told by the switches what they hold back, and knows the run. */
    @Test
    void runIsKnownAfterARestart() {
        prepare("det", ALL, ALL, 0);
        arm("det");
        run(7);
        final Instant running = world.now;
        world.pass(Duration.ofSeconds(10));
        stop("det");
        world.start(spec);
        world.settle();
        world.pass(Duration.ofSeconds(10));
        report(dcms.get(0), running, 5);
        assertThat(drops()).singleElement()
            .satisfies(each -> assertThat(each.run()).contains(new DropEpisode.Run("det", 7)));
    }

    /**
     * Packets of a DCM that do not arrive are explained by what its daqrings drop, for a minute by a clock that nobody
     * sets; after that they are told again.
     */
    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1})
    void missedPacketsAreExplainedByDropsForAMinute(int hours) {
        List<Consumer<PairReport>> pairs = new ArrayList<>();
        PathProver prover = (fabric, silent, known) -> {
            pairs.add(known);
            return PathProver.NONE.watch(fabric, silent, known);
        };
        world.drivers = all -> new FabricDrivers(all.rules(), all.bridges(), all.runs(), prover, all.mayChange());
        world.start(spec);
        world.network.reconnect();
        world.pass(Duration.ofSeconds(10));
        String dcm = dcms.get(0).name();
        PairReport missed = new PairReport(Map.of(), new TreeMap<>(Map.of(dcm, names("ros-1-1"))),
            Collections.emptySortedMap(), OptionalLong.empty());
        world.set = Duration.ofHours(hours);
        report(dcms.get(0), world.now, 5);
        pairs.getLast().accept(missed);
        world.pass(Duration.ofSeconds(59));
        assertThat(missed(dcm)).isEmpty();
        world.pass(Duration.ofSeconds(2));
        pairs.getLast().accept(missed);
        world.pass(Duration.ofSeconds(1));
        assertThat(missed(dcm)).containsExactly("ros-1-1");
    }

    private SortedSet<String> missed(String dcm) {
        return world.states.get(spec.name()).placements().stream().filter(each -> each.dcm().equals(dcm)).findFirst()
            .orElseThrow().proof().missed();
    }

    /** Ports that are no daqring of a DCM say nothing. */
    @Test
    void otherPortsAreIgnored() {
        world.manager.ringsDropped(spine.systemId(), spine.bridge(), new TreeMap<>(Map.of("ring-1.2.3.4-br",
            new RingDrops(world.now, Duration.ZERO, 1, 1, 0, "1"))), true);
        world.settle();
        assertThat(drops()).isEmpty();
    }
}
