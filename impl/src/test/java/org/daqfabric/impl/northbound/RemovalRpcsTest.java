package org.daqfabric.impl.northbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.impl.async.Clocks;
import org.daqfabric.impl.controller.FabricDrivers;
import org.daqfabric.impl.controller.FabricManager;
import org.daqfabric.impl.controller.FabricServices;
import org.daqfabric.impl.controller.NoRuns;
import org.daqfabric.impl.controller.spi.Recorder;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.topology.Topology;
import org.daqfabric.impl.memory.MemoryNetwork;
import org.daqfabric.impl.memory.MemoryRemovalStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.opendaylight.yang.svc.v1.urn.daqfabric.operations.rev261121.YangModuleInfoImpl;

/** The rpcs about left-over bridges in JSON, on a small fabric with a network in memory. */
class RemovalRpcsTest {
    private static final FabricSpec SMALL = TestFabrics.regular("small", 1, 2, 1, 1, 1, 1);

    private final MemoryNetwork network = new MemoryNetwork(new Random(1));
    private final MemoryRemovalStore store = new MemoryRemovalStore();
    private FabricManager manager;
    private RpcCalls calls;

    @BeforeEach
    void bringUp() {
        start();
        manager.configurationRead();
        network.build(new Topology(SMALL));
        manager.fabricChanged(SMALL);
        settle();
    }

    private void start() {
        manager = new FabricManager(new FabricServices(new Unstored(), store, new Unseen(),
            new Clocks(() -> Instant.EPOCH, () -> Instant.EPOCH),
            (delay, task) -> { }, Runnable::run, Runnable::run, Runnable::run, Duration.ZERO, Recorder.NONE));
        manager.activate(new FabricDrivers(network, network, new NoRuns(), () -> true));
        network.listeners(manager, manager);
        calls = new RpcCalls(YangModuleInfoImpl.getInstance().getName(), service -> new RemovalRpcs(service, manager));
    }

    private void settle() {
        while (network.step()) {
            // until it settles
        }
    }

    /** A controller that has lost its data finds the bridges it made before, and removes those that it is asked to. */
    @Test
    void orphansAreListedAndRemoved() {
        assertThat(calls.call("orphans", "{}").toString()).isEqualTo("{}");
        loseConfiguration();
        assertThat(calls.call("orphans", "{}").getAsJsonArray("bridge")).hasSize(SMALL.switches().size())
            .allSatisfy(each -> {
                assertThat(each.getAsJsonObject().get("fabric").getAsString()).isEqualTo("small");
                assertThat(each.getAsJsonObject().get("pending").getAsBoolean()).isFalse();
            });
        calls.begin("remove-orphans", "{'bridge':[{'system-id':'leaf-1-1','bridge':'br-daq'}],'node':['spine-1-1']}");
        assertThat(store.stored).hasSize(2);
        settle();
        assertThat(network.bridge("leaf-1-1")).isEmpty();
        assertThat(network.bridge("spine-1-1")).isEmpty();
        assertThat(network.bridge("spine-1-2")).isPresent();
        assertThat(store.stored).isEmpty();
    }

    /**
     * A bridge of a configured fabric, or one that does not exist, is refused with a reason, and nothing is removed.
     */
    @Test
    void whatIsNoOrphanIsRefused() {
        assertRefused("remove-orphans", "{}", "name bridges or nodes");
        assertRefused("remove-orphans", "{'bridge':[{'system-id':'leaf-1-1'}]}", "is missing");
        assertRefused("remove-orphans", bridge("leaf-1-1", "br-daq"),
            "bridge br-daq of node leaf-1-1 belongs to fabric small");
        assertRefused("remove-orphans", bridge("leaf-1-1", "br-ex"),
            "node leaf-1-1 has no bridge br-ex that daqfabric made");
        assertRefused("remove-orphans", bridge("nobody", "br-daq"), "node nobody is not connected");
        loseConfiguration();
        assertRefused("remove-orphans", "{'node':['leaf-1-1','nobody']}", "node nobody is not connected");
        settle();
        assertThat(network.programs()).hasSize(SMALL.switches().size());
    }

    /** The removal from a node that never returns can be given up. */
    @Test
    void pendingRemovalsAreForgotten() {
        network.isolate("leaf-1-1");
        manager.fabricRemoved("small");
        settle();
        assertThat(store.stored).hasSize(1);
        assertRefused("forget-removals", bridge("leaf-1-1", "br-ex"), "bridge br-ex of node leaf-1-1 is not to be");
        assertRefused("forget-removals", "{'node':['nobody']}", "nothing is to be removed from node nobody");
        assertThat(calls.call("forget-removals", "{'node':['leaf-1-1']}").getAsJsonArray("bridge")).hasSize(1);
        assertThat(store.stored).isEmpty();
        network.reconnect("leaf-1-1");
        settle();
        assertThat(network.bridge("leaf-1-1")).isPresent();
        assertThat(calls.call("orphans", "{}").getAsJsonArray("bridge")).hasSize(1);
    }

    /** A controller that is killed after its answer does not remove what it said that it leaves. */
    @Test
    void removalsAreForgottenWhenThatIsStored() {
        network.isolate("leaf-1-1");
        manager.fabricRemoved("small");
        settle();
        store.storing = new CompletableFuture<>();
        var forgotten = calls.begin("forget-removals", "{'node':['leaf-1-1']}");
        assertThat(forgotten.isDone()).isFalse();
        assertThat(store.stored).hasSize(1);
        store.storing.complete(null);
        assertThat(forgotten.isDone()).isTrue();
        assertThat(store.stored).isEmpty();
        start();
        manager.configurationRead();
        network.reconnect("leaf-1-1");
        settle();
        assertThat(network.bridge("leaf-1-1")).isPresent();
    }

    /** What cannot be stored is not given up, and says so. */
    @Test
    void removalsThatCannotBeForgottenStay() {
        network.isolate("leaf-1-1");
        manager.fabricRemoved("small");
        settle();
        store.failuresToCome = 1;
        assertThatThrownBy(() -> calls.call("forget-removals", "{'node':['leaf-1-1']}"))
            .hasMessageContaining("operation-failed").hasMessageContaining("nothing was given up");
        assertThat(store.stored).hasSize(1);
        network.reconnect("leaf-1-1");
        settle();
        assertThat(network.bridge("leaf-1-1")).isEmpty();
    }

    /** A bridge that its fabric has left is listed until it is removed, which needs no request. */
    @Test
    void pendingBridgeNeedsNoRequest() {
        store.storing = new CompletableFuture<>();
        manager.fabricRemoved("small");
        assertThat(calls.call("orphans", "{}").getAsJsonArray("bridge")).allMatch(each ->
            each.getAsJsonObject().get("pending").getAsBoolean());
        assertRefused("remove-orphans", bridge("leaf-1-1", "br-daq"), "fabric small has left it");
        assertThat(calls.call("remove-orphans", "{'node':['leaf-1-1']}").toString()).isEqualTo("{}");
    }

    private void loseConfiguration() {
        start();
        manager.configurationRead();
        network.reconnect();
        settle();
    }

    private static String bridge(String node, String name) {
        return "{'bridge':[{'system-id':'" + node + "','bridge':'" + name + "'}]}";
    }

    private void assertRefused(String rpc, String input, String why) {
        assertThatThrownBy(() -> calls.call(rpc, input)).hasMessageContaining("invalid-value")
            .hasMessageContaining(why);
    }
}
