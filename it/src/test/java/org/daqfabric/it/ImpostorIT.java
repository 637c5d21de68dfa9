package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Peers that say over OpenFlow that they are switches of a fabric. */
@ExtendWith(SharedController.class)
class ImpostorIT {
    private static final String SPINE = "p1s1";
    private static final int TIMES = 20;

    private static LabFabric fabric;
    private static AlarmWatch watch;

    @BeforeAll
    static void bringUp(final Lab lab, final Distribution controller) {
        final var file = lab.generate("impostor", "--planes 1 --spines 2 --pods 1 --ros 1 --racks 1 --dcms 2");
        fabric = lab.converged(file);
        watch = new AlarmWatch(controller);
    }

    @AfterAll
    static void close() {
        watch.close();
    }

    private static JsonObject spine() {
        return spine(fabric.state());
    }

    private static JsonObject spine(final FabricState state) {
        return FabricFile.entries(state.json(), "switch").stream()
            .filter(each -> each.get("name").getAsString().equals(SPINE)).findFirst().orElseThrow();
    }

    private static long datapathId() {
        return Long.parseUnsignedLong(spine().get("datapath-id").getAsString(), 16);
    }

    private static String resource() {
        return "fabric/" + fabric.name() + "/switch/" + SPINE;
    }

    private static List<JsonObject> claims(final Restconf restconf) {
        final var answer = restconf.get("data/daqfabric:listeners?content=nonconfig").json()
            .getAsJsonObject("daqfabric:listeners");
        return answer.has("claim") ? FabricFile.entries(answer, "claim") : List.of();
    }

    /** Beside the switch, through a cut and its repair: it is sent nothing, told everywhere, and nothing is lost. */
    @Test
    void isTurnedAwayWhileTheSwitchIsConnected(final Distribution controller, final Restconf restconf) {
        try (var ping = fabric.ping(50).awaitStarted(); var impostor = new Impostor(controller, datapathId())) {
            await("claims").atMost(Duration.ofSeconds(90)).until(() -> impostor.connections() > TIMES);
            final var alarm = watch.awaitRaised("datapath-id-taken", resource());
            assertThat(alarm.get("alarm-text").getAsString()).contains("a peer at 127.0.0.1 claimed its datapath-id",
                "which the switch at 172.31.");
            try (var shell = new Shell(controller)) {
                assertThat(shell.run("daqfabric:doctor").output().replaceAll("\\s+", " "))
                    .contains("ERROR switch " + SPINE + " of " + fabric.name() + ": a peer at 127.0.0.1");
            }
            assertThat(claims(restconf)).singleElement().satisfies(claim -> {
                assertThat(claim.get("datapath-id").getAsString()).isEqualTo("%016x".formatted(datapathId()));
                assertThat(claim.get("address").getAsString()).isEqualTo("127.0.0.1");
                assertThat(claim.get("reason").getAsString()).contains("serial number");
            });
            assertThat(spine().get("openflow-connected").getAsBoolean()).isTrue();
            ping.assertLostNothing(host -> true);

            fabric.cut("p1l1", "to-" + SPINE);
            fabric.awaitPhase("degraded");
            fabric.assertAllReachable();
            fabric.restore("p1l1", "to-" + SPINE);
            assertThat(impostor.changes()).isZero();
        }
        assertThat(fabric.verify().findings()).isEmpty();
        watch.awaitCleared("datapath-id-taken", resource());
        // written by another thread than alarms
        await("no claims").atMost(Duration.ofSeconds(30)).until(() -> claims(restconf), List::isEmpty);
    }

    /** It is there while the switch is away, and still after it: the switch is connected again, and programmed. */
    @Test
    void isTurnedAwayWhileTheSwitchIsAway(final Distribution controller) {
        fabric.daqlab("kill", SPINE);
        fabric.awaitState("away", state -> !spine(state).get("openflow-connected").getAsBoolean());
        try (var impostor = new Impostor(controller, datapathId())) {
            await("claims").atMost(Duration.ofSeconds(90)).until(() -> impostor.connections() > TIMES);
            assertThat(spine().get("openflow-connected").getAsBoolean()).isFalse();
            fabric.daqlab("restart", SPINE);
            fabric.awaitState("connected",
                state -> spine(state).get("openflow-connected").getAsBoolean());
            fabric.awaitPhase("converged");
            assertThat(impostor.changes()).isZero();
        }
        fabric.assertAllReachable();
    }

    /** A switch that reaches the controller in two ways has two connections, and is nobody's impostor. */
    @Test
    void aSwitchWithTwoWaysKeepsBoth(final Distribution controller, final Restconf restconf) {
        // the same place in other words: Open vSwitch takes it for another controller
        final var target = "tcp:" + controller.addressForSwitches();
        fabric.vsctl(SPINE, "--id=@c", "create", "Controller", "target=\"" + target + "\"",
            "connection_mode=out-of-band", "--", "add", "Bridge", fabric.bridges(SPINE).get(0), "controller", "@c");
        await("both ways").atMost(Duration.ofSeconds(90)).until(() -> fabric.vsctl(SPINE, "--columns=is_connected",
            "--format=csv", "--no-headings", "list", "Controller").equals(List.of("true", "true")));
        // those of other tests were of this machine itself
        assertThat(claims(restconf)).allMatch(claim -> claim.get("address").getAsString().equals("127.0.0.1"));
        assertThat(spine().get("openflow-connected").getAsBoolean()).isTrue();
        fabric.cut("p1l1", "to-" + SPINE);
        fabric.awaitPhase("degraded");
        fabric.restore("p1l1", "to-" + SPINE);
        assertThat(fabric.vsctl(SPINE, "--columns=is_connected", "--format=csv", "--no-headings", "list",
            "Controller")).containsExactly("true", "true");
    }
}
