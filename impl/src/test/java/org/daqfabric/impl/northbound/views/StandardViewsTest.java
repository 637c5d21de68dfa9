package org.daqfabric.impl.northbound.views;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.stream.Collectors;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.impl.controller.spi.FabricPorts;
import org.daqfabric.impl.engine.Seeds;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.northbound.InMemoryBroker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.opendaylight.mdsal.binding.api.WriteTransaction;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.NodeId;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.Nodes;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.nodes.Node;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.nodes.NodeBuilder;
import org.opendaylight.yang.gen.v1.urn.tbd.params.xml.ns.yang.network.topology.rev131021.NetworkTopology;
import org.opendaylight.yang.gen.v1.urn.tbd.params.xml.ns.yang.network.topology.rev131021.TopologyId;
import org.opendaylight.yang.gen.v1.urn.tbd.params.xml.ns.yang.network.topology.rev131021.network.topology.Topology;
import org.opendaylight.yang.gen.v1.urn.tbd.params.xml.ns.yang.network.topology.rev131021.network.topology.TopologyBuilder;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;

/** Views in the datastore. */
class StandardViewsTest {
    private static final LogicalDatastoreType STORE = LogicalDatastoreType.OPERATIONAL;
    private static final Node OTHER_NODE = new NodeBuilder().setId(new NodeId("openflow:77")).build();
    private static final Topology OTHER_TOPOLOGY =
        new TopologyBuilder().setTopologyId(new TopologyId("flow:1")).build();

    private final InMemoryBroker broker = new InMemoryBroker();
    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();

    @AfterEach
    void end() {
        executor.shutdownNow();
    }

    /** After any sequence of changes the datastore holds what the newest reports say, as if written at once. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void differencesLeadToTheNewestView(long seed) throws Exception {
        Random random = new Random(seed);
        GeneratedPorts before = new GeneratedPorts(TestFabrics.generated(random), random);
        GeneratedPorts edited = new GeneratedPorts(TestFabrics.generated(random), random);
        Map<String, SwitchReading> readings = new HashMap<>();
        ShownFabric last = null;
        for (int step = 0; step < 20; step++) {
            GeneratedPorts generated = step < 10 ? before : edited;
            String read = generated.anySwitch();
            readings.put(read, generated.reading(read));
            FabricPorts ports = generated.next();
            ShownFabric now = ShownFabric.of(ports, readings);
            WriteTransaction tx = broker.broker().newWriteOnlyTransaction();
            ViewChange change = new ViewChange(tx);
            // the fabrics have different names; their topologies are compared one at a time
            if (last == null || !last.id().equals(now.id())) {
                if (last != null) {
                    change.removeAll(last);
                }
                change.writeAll(now);
            } else {
                change.write(last, now);
            }
            tx.commit().get();
            assertShows(now);
            last = now;
        }
    }

    /** What does not change is not written. */
    @Test
    void nothingIsWrittenForNothing() {
        Random random = new Random(1);
        GeneratedPorts generated = new GeneratedPorts(TestFabrics.prototype(), random);
        FabricPorts ports = generated.next();
        ViewChange change = new ViewChange(broker.broker().newWriteOnlyTransaction());
        change.write(ShownFabric.of(ports, Map.of()), ShownFabric.of(ports, Map.of()));
        assertThat(change.writes()).isZero();
    }

    /** Views come with the fabric and go with it, again and again; what others have written stays. */
    @Test
    void viewsComeAndGoWithTheFabric() throws Exception {
        broker.put(STORE, InventoryTree.path("openflow:77"), OTHER_NODE);
        broker.put(STORE, TopologyTree.path("flow:1"), OTHER_TOPOLOGY);
        FabricSpec spec = TestFabrics.prototype();
        GeneratedPorts generated = new GeneratedPorts(spec, new Random(1));
        StandardViews views = new StandardViews(broker.broker(), executor, true);
        for (int round = 0; round < 2; round++) {
            FabricPorts ports = generated.next();
            views.ports(ports);
            awaitShown(ShownFabric.of(ports, Map.of()));
            views.withdraw(spec.name());
            awaitOthersOnly();
        }
        // another loop of the same controller takes over
        FabricPorts ports = generated.next();
        views.ports(ports);
        awaitShown(ShownFabric.of(ports, Map.of()));
        views.forget(spec.name());
        FabricPorts next = generated.next();
        views.ports(next);
        awaitShown(ShownFabric.of(next, Map.of()));
        views.close();
        assertOthersOnly();
    }

    /** A member of a cluster leaves the views to the next. */
    @Test
    void otherMembersTakeViewsOver() throws Exception {
        GeneratedPorts generated = new GeneratedPorts(TestFabrics.prototype(), new Random(1));
        StandardViews first = new StandardViews(broker.broker(), executor, false);
        FabricPorts ports = generated.next();
        first.ports(ports);
        awaitShown(ShownFabric.of(ports, Map.of()));
        first.close();
        assertShows(ShownFabric.of(ports, Map.of()));
        StandardViews second = new StandardViews(broker.broker(), executor, false);
        FabricPorts next = generated.next();
        second.ports(next);
        awaitShown(ShownFabric.of(next, Map.of()));
        second.close();
    }

    private void awaitShown(ShownFabric view) {
        await().untilAsserted(() -> assertShows(view));
    }

    private void assertShows(ShownFabric view) throws Exception {
        assertThat(broker.read(STORE, TopologyTree.path(view.id()))).isEqualTo(TopologyTree.of(view));
        Set<Node> nodes = new HashSet<>(nodes());
        nodes.remove(OTHER_NODE);
        assertThat(nodes).isEqualTo(view.switches().values().stream().filter(SwitchNode::connected)
            .map(InventoryTree::of).collect(Collectors.toSet()));
    }

    private List<Node> nodes() throws Exception {
        Nodes nodes = broker.read(STORE, DataObjectIdentifier.builder(Nodes.class).build());
        return nodes == null ? List.of() : List.copyOf(nodes.nonnullNode().values());
    }

    private void awaitOthersOnly() {
        await().untilAsserted(this::assertOthersOnly);
    }

    private void assertOthersOnly() throws Exception {
        assertThat(nodes()).containsExactly(OTHER_NODE);
        assertThat(broker.read(STORE, DataObjectIdentifier.builder(NetworkTopology.class).build()).nonnullTopology()
            .values()).containsExactly(OTHER_TOPOLOGY);
    }
}
