package org.daqfabric.impl.northbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.stream.IntStream;
import org.daqfabric.api.placement.Capacity;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.state.DropEpisode;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FabricState.DcmPlacement;
import org.daqfabric.api.state.FabricState.HostDrops;
import org.daqfabric.api.state.FabricState.LinkState;
import org.daqfabric.api.state.FabricState.OperState;
import org.daqfabric.api.state.FabricState.Phase;
import org.daqfabric.api.state.FabricState.PodPlacement;
import org.daqfabric.api.state.FabricState.Proof;
import org.daqfabric.api.state.FabricState.Rebalanced;
import org.daqfabric.api.state.FabricState.Repair;
import org.daqfabric.api.state.FabricState.RingState;
import org.daqfabric.api.state.FabricState.Role;
import org.daqfabric.api.state.FabricState.SpineLoad;
import org.daqfabric.api.state.FabricState.SwitchState;
import org.daqfabric.api.state.PortState;
import org.daqfabric.api.state.RingDrops;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.opendaylight.mdsal.binding.api.DataTreeChangeListener;
import org.opendaylight.mdsal.binding.api.DataTreeModification;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Name;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.fabric.State;
import org.opendaylight.yangtools.yang.common.Decimal64;

class StateWriterTest {
    private static final LogicalDatastoreType STORE = LogicalDatastoreType.OPERATIONAL;
    private static final Instant T0 = Instant.parse("2026-11-20T12:00:00.000250Z");
    private static final DropEpisode EPISODE = DropEpisode.begun("a", "d", new RingDrops(T0, Duration.ofMillis(11), 57,
        100, 1, "0 100*2")).in(Optional.of(new DropEpisode.Run("det", 7)));
    private static final Capacity CAPACITY = new Capacity(80, 120, "a:p -> b:q", 2.0 / 3);

    private final InMemoryBroker broker = new InMemoryBroker();
    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();
    private final StateWriter writer = new StateWriter(broker.broker(), executor);

    @AfterEach
    void close() {
        writer.close();
        executor.shutdownNow();
    }

    /** Every leaf of the contract is published, in the units of its description. */
    @Test
    void showsEverything() throws Exception {
        writer.publish(new FabricState("x", Phase.DEGRADED, 7,
            List.of(new SwitchState("a", Role.HLT_RACK, true, false, false, 0xdaf0L, OptionalLong.of(6), 10, 4,
            OptionalInt.of(2), Optional.of(new HostDrops(57, 3)), "no port")),
            List.of(new LinkState(new PortId("a", "p"), OperState.MISCABLED, T0, Optional.of(new PortId("c", "q")),
            true)),
            List.of(new PortState(new PortId("a", "p"), OptionalDouble.of(2.5), "half", OptionalLong.of(9000),
                List.of(new PortState.Queue(3, 2, 1, 40, 60)), "slow")),
            List.of(new DcmPlacement("d", 2, 3, OptionalInt.of(1), 5, 6,
                List.of(new PodPlacement(7, 1, 4), new PodPlacement(8, 1, 0)),
                new Proof(Optional.of(T0), new TreeSet<>(Set.of("r")), new TreeSet<>(Set.of("s"))))),
            List.of(new SpineLoad(2, 3, 1, 0.25)), List.of(new RingState("a", "d", 9, 6, 1, 2, 3, 4, 5)),
            List.of(EPISODE), CAPACITY,
            Optional.of(new Repair("link a:p went down", T0, T0.plusNanos(1_500_000), Optional.of(T0.plusMillis(9)), 3,
                12)),
            Optional.of(new Rebalanced("link a:p went down", T0.plusMillis(10), Optional.of(T0.plusMillis(25)), 4, 30)),
            Optional.of(T0.plusSeconds(5))));

        State state = await().until(() -> read("x"), java.util.Objects::nonNull);
        assertThat(state.getPhase()).isEqualTo(State.Phase.Degraded);
        assertThat(state.getGeneration()).hasToString("7");
        assertThat(state.nonnullSwitch().values()).singleElement().satisfies(sw -> {
            assertThat(sw.getRole().getName()).isEqualTo("hlt-rack");
            assertThat(sw.getOvsdbConnected()).isTrue();
            assertThat(sw.getOpenflowConnected()).isFalse();
            assertThat(sw.getDatapathId().getValue()).isEqualTo("000000000000daf0");
            assertThat(sw.getGeneration()).hasToString("6");
            assertThat(List.of(sw.getRules().intValue(), sw.getGroups().intValue(),
                sw.getDaqrings().getUint32().intValue()))
                .containsExactly(10, 4, 2);
            assertThat(sw.getHostDrops().getPacketSockets()).hasToString("57");
            assertThat(sw.getHostDrops().getProcessorBacklogs()).hasToString("3");
            assertThat(sw.getLastError()).isEqualTo("no port");
        });
        assertThat(state.nonnullLink().values()).singleElement().satisfies(link -> {
            assertThat(link.getOperState().getName()).isEqualTo("miscabled");
            assertThat(link.getSince().getValue()).isEqualTo("2026-11-20T12:00:00.000250Z");
            assertThat(link.getSeenPeerSwitch() + ":" + link.getSeenPeerPort()).isEqualTo("c:q");
        });
        assertThat(state.nonnullPlacement().values()).singleElement().satisfies(dcm -> {
            assertThat(List.of(dcm.getPlane().getValue().intValue(), dcm.getSpine().getValue().intValue(),
                dcm.getBackupSpine().getValue().intValue(), dcm.getMoves().intValue(),
                dcm.getReachableRos().intValue())).containsExactly(2, 3, 1, 5, 6);
            assertThat(dcm.getLastProof().getValue()).isEqualTo("2026-11-20T12:00:00.000250Z");
            assertThat(dcm.getMissedRos()).containsExactly(new Name("r"));
            assertThat(dcm.getOldRos()).containsExactly(new Name("s"));
            assertThat(dcm.nonnullFromPod().values()).extracting(pod -> "%s: %s, %s".formatted(
                pod.getPod().getValue(), pod.getPlane().getValue(),
                pod.getSpine() == null ? "no spine" : pod.getSpine().getValue()))
                .containsExactlyInAnyOrder("7: 1, 4", "8: 1, no spine");
        });
        assertThat(state.nonnullSpine().values()).singleElement()
            .satisfies(spine -> assertThat(spine.getLoad().getValue()).hasToString("0.25"));
        assertThat(state.nonnullDaqring().values()).singleElement().satisfies(ring -> {
            assertThat(ring.getSwitch().getValue() + ring.getDcm().getValue()).isEqualTo("ad");
            assertThat(List.of(ring.getEnqueued().intValue(), ring.getDequeued().intValue(),
                ring.getDropped().intValue(), ring.getOccupancy().intValue(), ring.getHighestOccupancy().intValue(),
                ring.getThrottledPolls().intValue(), ring.getDropEpisodes().intValue()))
                .containsExactly(9, 6, 1, 2, 3, 4, 5);
        });
        assertThat(state.nonnullDropEpisode().values()).singleElement().satisfies(drop -> {
            assertThat(drop.getSwitch().getValue() + drop.getDcm().getValue() + drop.getPartition().getValue())
                .isEqualTo("addet");
            assertThat(drop.getBegin().getValue()).isEqualTo("2026-11-20T12:00:00.000250Z");
            assertThat(List.of(drop.getDuration().intValue(), drop.getDropped().intValue(), drop.getPeak().intValue(),
                drop.getBefore().intValue(), drop.getRunNumber().intValue())).containsExactly(11, 57, 100, 1, 7);
            assertThat(drop.getOccupancy()).isEqualTo("0 100*2");
        });
        assertThat(state.getCapacity().getBandwidth().getValue()).hasToString("80.0");
        assertThat(state.getCapacity().getUtilisation().getValue()).hasToString("0.6667");
        assertThat(state.getLastRepair().getDetected().getValue()).isEqualTo("2026-11-20T12:00:00.000250Z");
        assertThat(state.getLastRepair().getComputed().getValue()).hasToString("1.5");
        assertThat(state.getLastRepair().getConfirmed().getValue()).hasToString("9.0");
        assertThat(state.getLastRebalanced().getBegun().getValue()).isEqualTo("2026-11-20T12:00:00.010250Z");
        assertThat(state.getLastRebalanced().getConfirmed().getValue()).hasToString("15.0");
        assertThat(state.getLastRebalanced().getMovedDcms().intValue()).isEqualTo(4);
        assertThat(state.nonnullPort().values()).singleElement().satisfies(port -> {
            assertThat(port.getSpeed().getValue()).isEqualTo(Decimal64.valueOf("2.5").scaleTo(3));
            assertThat(port.getDuplex().getName()).isEqualTo("half");
            assertThat(port.getMtu().intValue()).isEqualTo(9000);
            assertThat(port.getFault()).isEqualTo("slow");
            assertThat(port.nonnullQueue().values()).singleElement().satisfies(queue -> assertThat(List.of(
                queue.getId().intValue(), queue.getCore().intValue(), queue.getNumaNode().intValue(),
                queue.getBusy().intValue(), queue.getThreadBusy().intValue())).containsExactly(3, 2, 1, 40, 60));
        });
        assertThat(state.getUnstored().getSince().getValue()).isEqualTo("2026-11-20T12:00:05.000250Z");
    }

    /** Unknown values are left out, not published as 0. */
    @Test
    void leavesOutWhatIsUnknown() throws Exception {
        writer.publish(new FabricState("x", Phase.WAITING, 0,
            List.of(new SwitchState("a", Role.SPARE, false, false, -1, OptionalLong.empty(), 0, 0, OptionalInt.empty(),
            "")),
            List.of(), List.of(new PortState(new PortId("a", "p"), OptionalDouble.empty(), "", OptionalLong.empty(),
            List.of(), "")),
            List.of(new DcmPlacement("d", 0, 0, OptionalInt.empty(), 0, 0)), List.of(),
            List.of(), List.of(), new Capacity(Double.NaN, 0, "", Double.NaN), Optional.empty(),
            Optional.empty(), Optional.empty()));

        State state = await().until(() -> read("x"), java.util.Objects::nonNull);
        assertThat(state.nonnullSwitch().values()).singleElement().satisfies(sw -> {
            assertThat(sw.getGeneration()).isNull();
            assertThat(sw.getLastError()).isNull();
            assertThat(sw.getDaqrings().getEnumeration().getName()).isEqualTo("unsupported");
            assertThat(sw.getDatapathId().getValue()).isEqualTo("ffffffffffffffff");
        });
        assertThat(state.nonnullPlacement().values()).singleElement().satisfies(dcm -> {
            assertThat(dcm.getPlane()).isNull();
            assertThat(dcm.getSpine()).isNull();
            assertThat(dcm.getBackupSpine()).isNull();
        });
        assertThat(state.getCapacity().getUtilisation().getValue()).hasToString("0.0");
        assertThat(state.getCapacity().getBottleneck()).isNull();
        assertThat(state.getLastRepair()).isNull();
        assertThat(state.getLastRebalanced()).isNull();
    }

    /** A failed link does not lead to writes of placements that have not changed. */
    @Test
    void writesOnlyWhatChanged() {
        writer.publish(state(OperState.UP, 50));
        await().until(() -> read("x") != null);
        List<String> touched = new CopyOnWriteArrayList<>();
        try (var registration = broker.broker().registerTreeChangeListener(STORE,
                StateChange.fabric("x").toBuilder().child(State.class).build(), new DataTreeChangeListener<State>() {
                    @Override
                    public void onDataTreeChanged(List<DataTreeModification<State>> changes) {
                        changes.forEach(change -> change.getRootNode().modifiedChildren().forEach(child ->
                            touched.add(child.step().toString())));
                        touched.add("end");
                    }
                })) {
            await().until(() -> touched.contains("end"));
            touched.clear();

            writer.publish(state(OperState.DOWN, 49));

            await().until(() -> touched.contains("end"));
            assertThat(touched).hasSize(3);
            assertThat(touched.get(0) + touched.get(1)).contains("Link").contains("dcm-49");
        }
    }

    /** When states are published in quick succession, the last one is stored in the end. */
    @Test
    void theNewestStateWins() {
        for (int i = 1; i <= 500; i++) {
            writer.publish(state(i % 2 == 0 ? OperState.UP : OperState.DOWN, i % 7));
        }

        await().until(() -> read("x") != null && read("x").nonnullPlacement().size() == 500 % 7
            && read("x").nonnullLink().values().stream().anyMatch(link -> link.getOperState().getName().equals("up")));
    }

    /** A removed fabric leaves no state, and can be published again. */
    @Test
    void withdraws() throws Exception {
        writer.publish(state(OperState.UP, 2));
        await().until(() -> read("x") != null);
        writer.withdraw("x");
        await().until(() -> broker.read(STORE, StateChange.fabric("x")) == null);
        writer.publish(state(OperState.UP, 3));
        await().until(() -> read("x") != null && read("x").nonnullPlacement().size() == 3);
    }

    /** A newly active controller replaces the whole state that the one before has written. */
    @Test
    void replacesTheStateOfAFormerWriter() {
        writer.publish(state(OperState.UP, 5));
        await().until(() -> read("x") != null);
        writer.close();

        StateWriter next = new StateWriter(broker.broker(), executor);
        next.publish(state(OperState.UP, 1));

        await().until(() -> read("x").nonnullPlacement().size() == 1);
    }

    private State read(String fabric) throws Exception {
        return broker.read(STORE, StateChange.fabric(fabric).toBuilder().child(State.class).build());
    }

    private static FabricState state(OperState link, int dcms) {
        List<DcmPlacement> placements = new ArrayList<>();
        IntStream.range(0, dcms).forEach(i -> placements.add(
            new DcmPlacement("dcm-" + i, 1, 1, OptionalInt.of(2), 0, 6)));
        return new FabricState("x", Phase.CONVERGED, 1,
            List.of(new SwitchState("a", Role.LEAF, true, true, 1, OptionalLong.of(1), 1, 1, OptionalInt.of(1), "")),
            List.of(new LinkState(new PortId("a", "p"), link, T0, Optional.empty(), false),
                new LinkState(new PortId("a", "q"), OperState.UP, T0, Optional.empty(), false)),
            List.of(), placements, List.of(new SpineLoad(1, 1, 7, 1)), List.of(), List.of(), CAPACITY, Optional.empty(),
            Optional.empty(),
            Optional.empty());
    }
}
