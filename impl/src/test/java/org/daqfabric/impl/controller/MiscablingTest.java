package org.daqfabric.impl.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.daqfabric.api.spec.AdminState;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FabricState.Phase;
import org.daqfabric.impl.engine.Seeds;
import org.daqfabric.impl.engine.SharedNodes;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.identity.DatapathIds;
import org.daqfabric.impl.engine.topology.Segment;
import org.daqfabric.impl.engine.topology.Topology;
import org.daqfabric.impl.engine.trace.Trace;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Links whose cables connect other ports than configured. */
class MiscablingTest {
    private static final PortId LEAF_1_TO_SPINE_1 = new PortId("leaf-1-1", "s1");
    private static final PortId LEAF_2_TO_SPINE_1 = new PortId("leaf-1-2", "s1");
    /** A change is published at once, or within this time. */
    private static final Duration PUBLISHED = Duration.ofMillis(200);

    /** A configuration in which the cables of two links are swapped. */
    private static FabricSpec swapped(FabricSpec spec, PortId one, PortId other) {
        Map<PortId, Link> links = new HashMap<>();
        spec.links().forEach(link -> links.put(link.end(), link));
        Map<PortId, PortId> peers = Map.of(one, links.get(other).peer(), other, links.get(one).peer());
        return withLinks(spec, spec.links().stream().map(link -> new Link(link.end(),
            peers.getOrDefault(link.end(), link.peer()), link.capacity(), link.adminState())).toList());
    }

    private static FabricSpec withLinks(FabricSpec spec, List<Link> links) {
        return new FabricSpec(spec.name(), spec.planes(), spec.pods(), spec.switches(), links, spec.policy());
    }

    private static Map<PortId, FabricState.LinkState> linksThatAre(FabricState.OperState state, FabricState fabric) {
        Map<PortId, FabricState.LinkState> links = new HashMap<>();
        fabric.links().stream().filter(link -> link.operState() == state).forEach(link -> links.put(link.end(), link));
        return links;
    }

    /** Number of pairs between which packets do not arrive. */
    private static long lost(Topology cabled, World world) {
        Trace trace = new Trace(cabled, world.network.numbers(), world.network.programs(), Set.of());
        return cabled.endpoints().values().stream().flatMap(from -> cabled.endpoints().values().stream()
            .filter(to -> to.kind() != from.kind()).map(to -> trace.follow(from.edge(), to.address())))
            .filter(path -> !path.arrived()).count();
    }

    /** Miscabled links carry nothing until cables and configuration agree. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void miscabledLinksCarryNothing(long seed) {
        World world = new World(seed);
        FabricSpec spec = TestFabrics.prototype();
        Topology cabled = new Topology(spec);
        Set<String> all = World.possible(spec, Set.of());
        world.network.build(cabled);
        world.manager.fabricChanged(swapped(spec, LEAF_1_TO_SPINE_1, LEAF_2_TO_SPINE_1));
        world.settle();
        assertThat(linksThatAre(FabricState.OperState.UP, world.states.get(spec.name())))
            .as("not checked yet").containsKey(LEAF_1_TO_SPINE_1);
        assertThat(lost(cabled, world)).as("pairs that the swapped cables break").isPositive();

        world.network.devices.checkCabling();
        world.pass(Following.FOLLOWS);
        FabricState state = world.states.get(spec.name());
        var wrong = linksThatAre(FabricState.OperState.MISCABLED, state);
        assertThat(wrong).containsOnlyKeys(LEAF_1_TO_SPINE_1, LEAF_2_TO_SPINE_1);
        assertThat(wrong.get(LEAF_1_TO_SPINE_1).seenPeer()).contains(new PortId("spine-1-1", "l1"));
        assertThat(state.phase()).isEqualTo(Phase.DEGRADED);
        assertThat(state.links()).allSatisfy(link -> assertThat(link.seenPeer()).isPresent());
        assertThat(world.served(cabled)).isEqualTo(all);
        int messages = world.network.messages();
        world.network.devices.checkCabling();
        world.pass(Following.FOLLOWS);
        assertThat(world.network.messages()).as("a second check changes nothing").isEqualTo(messages);

        world.manager.fabricChanged(spec);
        world.pass(Following.FOLLOWS);
        assertThat(world.states.get(spec.name()).links()).allSatisfy(link ->
            assertThat(link.operState()).isEqualTo(FabricState.OperState.UP));
        assertThat(world.phase(spec)).isEqualTo(Phase.CONVERGED);
        assertThat(world.served(cabled)).isEqualTo(all);
    }

    /** A cable that was unplugged is checked anew: nobody corrects a cable without unplugging it. */
    @Test
    void unpluggedCableIsCheckedAgain() {
        World world = new World(1);
        FabricSpec spec = swapped(TestFabrics.prototype(), LEAF_1_TO_SPINE_1, LEAF_2_TO_SPINE_1);
        world.network.build(new Topology(TestFabrics.prototype()));
        world.manager.fabricChanged(spec);
        world.settle();
        world.network.devices.checkCabling();
        world.settle();
        List<Segment> wrong = links(new Topology(TestFabrics.prototype())).stream().filter(segment ->
            Set.of(LEAF_1_TO_SPINE_1, LEAF_2_TO_SPINE_1).contains(segment.lower())).toList();
        wrong.forEach(segment -> world.network.carrier(segment, false));
        world.settle();
        assertThat(linksThatAre(FabricState.OperState.DOWN, world.states.get(spec.name())))
            .containsOnlyKeys(LEAF_1_TO_SPINE_1, LEAF_2_TO_SPINE_1);
        wrong.forEach(segment -> world.network.carrier(segment, true));
        world.network.build(new Topology(spec));
        world.settle();
        world.network.devices.checkCabling();
        world.settle();
        assertThat(linksThatAre(FabricState.OperState.UP, world.states.get(spec.name())))
            .hasSize(spec.links().size());
    }

    /** Swapped parallel links are miscabled too, as placement uses lanes individually. */
    @Test
    void crossedParallelLinksAreMiscabled() {
        World world = new World(1);
        FabricSpec single = TestFabrics.prototype();
        List<Link> links = new ArrayList<>(single.links());
        PortId second = new PortId("leaf-1-1", "s1b");
        links.add(new Link(second, new PortId("spine-1-1", "l1b"), 10, AdminState.IN_SERVICE));
        FabricSpec spec = withLinks(single, links);
        world.network.build(new Topology(spec));
        world.manager.fabricChanged(swapped(spec, LEAF_1_TO_SPINE_1, second));
        world.settle();
        world.network.devices.checkCabling();
        world.settle();
        assertThat(linksThatAre(FabricState.OperState.MISCABLED, world.states.get(spec.name())))
            .containsOnlyKeys(LEAF_1_TO_SPINE_1, second);
        assertThat(world.served(new Topology(spec))).isEqualTo(World.possible(spec, Set.of()));
    }

    /** A link that is miscabled again and again waits ever longer after each time, as one that fails does. */
    @Test
    void aLinkThatIsMiscabledAgainAndAgainWaits() {
        World world = new World(1);
        FabricSpec spec = TestFabrics.prototype();
        world.configure(spec);
        world.pass(Duration.ofMinutes(3));
        Segment link = World.link(spec, "leaf-1-1", "spine-1-1");
        Segment other = World.link(spec, "leaf-1-2", "spine-1-1");
        for (int seconds : new int[] {0, 1, 2, 4, 8, 16, 32, 60, 60}) {
            String time = "before a wait of " + seconds + " s";
            seen(world, spec, link.lower(), other.upper());
            world.pass(PUBLISHED);
            assertThat(linksThatAre(FabricState.OperState.MISCABLED, world.states.get(spec.name()))).as(time)
                .containsOnlyKeys(link.id());
            // until the wrong frame counts no more, frames of the right port do not help
            for (int frames = 0; frames < 4; frames++) {
                assertThat(world.isUsed(spec, link)).as(time).isFalse();
                world.pass(Duration.ofSeconds(5));
                seen(world, spec, link.lower(), link.upper());
            }
            if (seconds > 0) {
                world.pass(Duration.ofSeconds(seconds).minus(PUBLISHED));
                assertThat(linksThatAre(FabricState.OperState.UP, world.states.get(spec.name()))).as(time)
                    .containsKey(link.id());
                assertThat(world.isUsed(spec, link)).as(time).isFalse();
                world.pass(PUBLISHED);
            }
            world.pass(PUBLISHED);
            assertThat(world.isUsed(spec, link)).as("after a wait of " + seconds + " s").isTrue();
        }
    }

    /** A frame from one port arrives at another. */
    private static void seen(World world, FabricSpec spec, PortId at, PortId from) {
        world.manager.peerSeen(datapathId(spec, at), world.network.numbers().of(at).getAsInt(),
            datapathId(spec, from), world.network.numbers().of(from).getAsInt());
        world.settle();
    }

    private static long datapathId(FabricSpec spec, PortId port) {
        return DatapathIds.of(spec.name(), port.switchName(), "br-daq");
    }

    /** A peer outside the fabric is reported by fabric and name, or by its datapath-id if it is unknown. */
    @Test
    void peersOfOtherFabricsAreNamed() {
        World world = new World(1);
        FabricSpec spec = TestFabrics.prototype();
        world.configure(spec);
        world.settle();
        world.manager.fabricChanged(SharedNodes.twin(TestFabrics.regular("tiny", 1, 1, 1, 1, 1, 1), "other"));
        long leaf = DatapathIds.of(spec.name(), "leaf-1-1", "br-daq");
        int first = world.network.numbers().of(LEAF_1_TO_SPINE_1).getAsInt();
        int second = world.network.numbers().of(new PortId("leaf-1-1", "s2")).getAsInt();
        world.manager.peerSeen(leaf, first, DatapathIds.of("other", "spine-1-1", "other-br-daq"), 4);
        world.manager.peerSeen(leaf, second, 0xabc, 5);
        world.settle();
        var wrong = linksThatAre(FabricState.OperState.MISCABLED, world.states.get(spec.name()));
        assertThat(wrong.get(LEAF_1_TO_SPINE_1).seenPeer()).contains(new PortId("other/other-spine-1-1", "4"));
        assertThat(wrong.get(new PortId("leaf-1-1", "s2")).seenPeer()).contains(new PortId("0000000000000abc", "5"));
    }

    /** Cabling checks end when the fabric is removed. */
    @Test
    void cablingOfARemovedFabricIsNotChecked() {
        World world = new World(1);
        FabricSpec spec = TestFabrics.prototype();
        world.configure(spec);
        world.settle();
        assertThat(world.network.watched()).isEqualTo(new Topology(spec).roles().keySet());
        world.manager.fabricRemoved(spec.name());
        world.settle();
        assertThat(world.network.watched()).isEmpty();
    }

    private static List<Segment> links(Topology topology) {
        List<Segment> links = new ArrayList<>();
        topology.roles().keySet().forEach(name -> topology.segments(name).stream()
            .filter(segment -> segment.lower().switchName().equals(name)).forEach(links::add));
        return links;
    }
}
