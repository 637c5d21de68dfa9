package org.daqfabric.impl.ovsdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.daqfabric.api.state.MarkedBridge;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Bridges that pass from one fabric to another, on a node in memory. */
class BridgeOwnershipTest {
    private static final String BRIDGE = "br-daq";
    private static final Duration LONG = Duration.ofMillis(500);

    private final RecordingListener listener = new RecordingListener();
    private OvsdbBridgeDriver driver;
    private FakeNode node;

    @BeforeEach
    void connect() throws IOException {
        driver = new OvsdbBridgeDriver(TestSettings.listeningOn(0), listener);
        node = new FakeNode(driver.listenAddress().orElseThrow().getPort(), "a", FakeNode.Habit.NONE);
        put("atlas");
        await().until(() -> node.bridges().contains(BRIDGE));
    }

    @AfterEach
    void endAll() throws IOException {
        node.close();
        driver.close();
    }

    /** The fabric that had a bridge is late with its removal. */
    @Test
    void lateRemovalLeavesWhatAnotherFabricHasPut() {
        put("cms");
        remove("atlas");
        await().until(() -> isGone("atlas"));
        await().during(LONG).until(() -> node.bridges().contains(BRIDGE));
    }

    /** It is late, but the fabric that is configured to have the bridge is later. */
    @Test
    void removalLeavesWhatAnotherFabricIsConfiguredToHave() {
        listener.configure("a", BRIDGE, "cms");
        remove("atlas");
        await().during(LONG).until(() -> node.bridges().contains(BRIDGE) && !isGone("atlas"));
        put("cms");
        await().until(() -> isGone("atlas"));
        assertThat(node.bridges()).contains(BRIDGE);
        listener.configure("a", BRIDGE, null);
        remove("cms");
        await().until(() -> isGone("cms"));
        assertThat(node.bridges()).isEmpty();
    }

    /** A fabric that needs a bridge again keeps it. */
    @Test
    void removalEndsWhenTheSameFabricPutsTheBridgeAgain() {
        listener.configure("a", BRIDGE, "cms");
        remove("atlas");
        put("atlas");
        listener.configure("a", BRIDGE, "atlas");
        await().during(LONG).until(() -> node.bridges().contains(BRIDGE) && !isGone("atlas"));
    }

    /** What a node does not have is reported at once, what another fabric made as well. */
    @Test
    void removalOfWhatIsNotThereEnds() {
        remove("cms");
        await().until(() -> isGone("cms"));
        assertThat(node.bridges()).contains(BRIDGE);
        remove("atlas");
        await().until(() -> isGone("atlas"));
        assertThat(node.bridges()).isEmpty();
    }

    private void put(String fabric) {
        driver.put("a", Optional.empty(), TestBridges.bridge(fabric, BRIDGE, Map.of()));
    }

    private void remove(String fabric) {
        driver.remove(new MarkedBridge("a", BRIDGE, fabric), Optional.empty());
    }

    private boolean isGone(String fabric) {
        return listener.count("gone a/" + BRIDGE + " " + fabric) > 0;
    }
}
