package org.daqfabric.impl.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FabricState.LinkState;
import org.daqfabric.api.state.FabricState.OperState;
import org.daqfabric.api.state.FabricState.Phase;
import org.daqfabric.api.state.FabricState.SwitchState;
import org.daqfabric.impl.controller.spi.PathProver;
import org.daqfabric.impl.controller.spi.RunDirective;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.proof.SilentParts;
import org.daqfabric.impl.engine.topology.LinkDirection;
import org.daqfabric.impl.engine.topology.Segment;
import org.daqfabric.impl.engine.topology.Topology;
import org.daqfabric.impl.engine.trace.PacketPath;
import org.daqfabric.impl.engine.trace.Trace;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What carries no packets, as proofs have shown, though all ports are up and say nothing of it. */
class SilentPartsTest {
    /** A change is published at once, or within this time. */
    private static final Duration PUBLISHED = Duration.ofMillis(200);

    private final World world = new World(1);
    private final List<Consumer<SilentParts>> told = new ArrayList<>();
    private FabricSpec spec = AbstractRunControlTest.betweenRuns(TestFabrics.prototype());
    private Topology topology = new Topology(spec);

    private void bringUp(boolean inRun) {
        PathProver prover = (fabric, silent, pairs) -> {
            told.add(silent);
            return PathProver.NONE.watch(fabric, silent, pairs);
        };
        world.drivers = all -> new FabricDrivers(all.rules(), all.bridges(), all.runs(), prover, all.mayChange());
        world.start();
        world.configure(spec);
        world.pass(Duration.ofMinutes(3));
        assertThat(world.phase(spec)).isEqualTo(Phase.CONVERGED);
        control(inRun);
    }

    private void control(boolean inRun) {
        world.manager.control(spec.name(), new RunDirective(inRun, 0, Optional.empty()));
        world.pass(PUBLISHED);
    }

    /** Proofs find these now. */
    private void silent(SilentParts parts) {
        told.getLast().accept(parts);
        world.pass(PUBLISHED);
    }

    /** Packets go up the link and do not arrive. */
    private SilentParts upwards(Segment link) {
        return new SilentParts(new TreeSet<>(Set.of(new LinkDirection(link.id(), link.lower(),
            world.network.numbers().of(link.lower()).getAsInt(), link.upper(),
            world.network.numbers().of(link.upper()).getAsInt()))), Collections.emptySortedSet());
    }

    private static SilentParts mute(String name) {
        return new SilentParts(Collections.emptySortedSet(), new TreeSet<>(Set.of(name)));
    }

    private FabricState state() {
        return world.states.get(spec.name());
    }

    private LinkState state(Segment link) {
        return state().links().stream().filter(each -> each.end().equals(link.id())).findFirst().orElseThrow();
    }

    private Set<String> inDoubt() {
        return state().switches().stream().filter(SwitchState::inDoubt).map(SwitchState::name)
            .collect(Collectors.toSet());
    }

    /** Pairs of hosts between which packets arrive, but for those that go by some way; no port says that it is down. */
    private Set<String> servedWithout(Predicate<List<String>> lost) {
        Trace trace = new Trace(topology, world.network.numbers(), world.network.programs(), Set.of());
        Set<String> pairs = new TreeSet<>();
        topology.endpoints().values().forEach(from -> topology.endpoints().values().stream()
            .filter(to -> to.kind() != from.kind()).forEach(to -> {
                PacketPath path = trace.follow(from.edge(), to.address());
                if (path.arrived() && !lost.test(path.switches())) {
                    pairs.add(from.name() + " -> " + to.name());
                }
            }));
        return pairs;
    }

    private static Predicate<List<String>> by(Segment link) {
        return way -> IntStream.range(1, way.size()).anyMatch(each -> Set.of(way.get(each - 1), way.get(each))
            .equals(Set.of(link.lower().switchName(), link.upper().switchName())));
    }

    /** Packets take other ways; what has none is said to be cut off. A run does not wait for its end with that. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aSilentDirectionIsRepairedAround(boolean inRun) {
        bringUp(inRun);
        Segment link = World.link(spec, "leaf-1-1", "spine-1-1");
        Set<String> all = World.possible(spec, Set.of());
        assertThat(servedWithout(by(link))).as("without a repair").isNotEqualTo(all);
        silent(upwards(link));
        assertThat(servedWithout(by(link))).isEqualTo(all);
        assertThat(state(link)).satisfies(each -> {
            assertThat(each.operState()).isEqualTo(OperState.DOWN);
            assertThat(each.silent().toPeer()).isTrue();
            assertThat(each.silent().fromPeer()).isFalse();
        });
        assertThat(state().placements()).allMatch(each -> each.reachableRos() == 6);
        world.pass(Duration.ofMinutes(1));
        assertThat(world.phase(spec)).isEqualTo(Phase.DEGRADED);
        assertThat(world.isUsed(spec, link)).as("silence does not end by itself").isFalse();

        silent(SilentParts.NONE);
        assertThat(state(link).operState()).isEqualTo(OperState.UP);
        assertThat(world.isUsed(spec, link)).as("in a run links wait for its end").isEqualTo(!inRun);
        control(false);
        assertThat(world.isUsed(spec, link)).isTrue();
        world.pass(Duration.ofSeconds(10));
        assertThat(world.phase(spec)).isEqualTo(Phase.CONVERGED);
    }

    /** The hosts behind the only path are cut off, and are said to be. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aSilentDirectionOfTheOnlyPathCutsOff(boolean inRun) {
        spec = AbstractRunControlTest.betweenRuns(TestFabrics.regular("one", 1, 1, 2, 1, 1, 2));
        topology = new Topology(spec);
        bringUp(inRun);
        assertThat(state().placements()).isNotEmpty().allMatch(each -> each.reachableRos() == 2);
        Segment link = World.link(spec, "leaf-1-2", "spine-1-1");
        silent(upwards(link));
        assertThat(state(link).operState()).isEqualTo(OperState.DOWN);
        assertThat(state().placements()).as("those of their own pod").allMatch(each -> each.reachableRos() == 1);
        assertThat(servedWithout(by(link))).isEqualTo(World.possible(spec, Set.of(link.id())));
        world.pass(Duration.ofSeconds(10));
        assertThat(world.phase(spec)).isEqualTo(Phase.DEGRADED);

        silent(SilentParts.NONE);
        control(false);
        world.pass(Duration.ofSeconds(10));
        assertThat(world.phase(spec)).isEqualTo(Phase.CONVERGED);
        assertThat(state().placements()).allMatch(each -> each.reachableRos() == 2);
    }

    /** A spine that is not connected, whose links stand and through which nothing passes, may hold no rules. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aMuteSpineOutOfReachIsNotUsed(boolean inRun) {
        bringUp(inRun);
        String spine = "spine-1-1";
        Set<PortId> without = topology.segments(spine).stream().map(Segment::id).collect(Collectors.toSet());
        Set<String> all = World.possible(spec, Set.of());
        world.network.isolate(spine);
        world.pass(Duration.ofSeconds(3));
        assertThat(inDoubt()).isEmpty();
        assertThat(servedWithout(way -> way.contains(spine))).as("it is used").isNotEqualTo(all);
        silent(mute(spine));
        assertThat(inDoubt()).containsExactly(spine);
        assertThat(servedWithout(way -> way.contains(spine))).isEqualTo(all);
        assertThat(state().placements()).allMatch(each -> each.reachableRos() == 6);
        assertThat(state().links().stream().filter(each -> without.contains(each.end())).map(LinkState::operState))
            .containsOnly(OperState.UNKNOWN);

        silent(SilentParts.NONE);
        assertThat(inDoubt()).as("until it says something").containsExactly(spine);
        world.network.reconnect(spine);
        world.pass(PUBLISHED);
        assertThat(inDoubt()).isEmpty();
        control(false);
        world.pass(Duration.ofSeconds(10));
        assertThat(world.phase(spec)).isEqualTo(Phase.CONVERGED);
        assertThat(topology.segments(spine)).allMatch(link -> world.isUsed(spec, link));
    }

    /** What is connected is in no doubt: its rules are compared, and its links are proven one by one. */
    @Test
    void aMuteSpineThatIsConnectedIsUsed() {
        bringUp(false);
        final int messages = world.network.messages();
        silent(mute("spine-1-1"));
        world.pass(Duration.ofSeconds(10));
        assertThat(inDoubt()).isEmpty();
        assertThat(world.network.messages()).isEqualTo(messages);
        assertThat(world.phase(spec)).isEqualTo(Phase.CONVERGED);
    }

    /** Waits double as those of a link that fails do, up to a minute. */
    @Test
    void aDirectionThatIsSilentAgainAndAgainWaits() {
        bringUp(false);
        Segment link = World.link(spec, "leaf-1-1", "spine-1-1");
        for (int seconds : new int[] {0, 1, 2, 4, 8, 16, 32, 60, 60}) {
            String time = "before a wait of " + seconds + " s";
            silent(upwards(link));
            assertThat(state(link).operState()).as(time).isEqualTo(OperState.DOWN);
            world.pass(Duration.ofSeconds(2));
            silent(SilentParts.NONE);
            assertThat(state(link).operState()).as(time).isEqualTo(OperState.UP);
            if (seconds > 0) {
                world.pass(Duration.ofSeconds(seconds).minus(PUBLISHED.multipliedBy(2)));
                assertThat(world.isUsed(spec, link)).as(time).isFalse();
                world.pass(PUBLISHED.multipliedBy(2));
            }
            assertThat(world.isUsed(spec, link)).as("after a wait of " + seconds + " s").isTrue();
        }
    }
}
