package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Faults that only simulated switches can have, and checks that count every message. */
@ExtendWith(SharedController.class)
class SimulatedFabricIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(120);

    private static SimulatedFabric fabric;

    @BeforeAll
    static void bringUp(final Distribution controller, final Lab lab) {
        fabric = new SimulatedFabric(controller, lab.generate("simulated",
            "--planes 2 --spines 3 --pods 2 --ros 3 --racks 3 --dcms 8"), true, TIMEOUT);
        fabric.switches().start();
        fabric.put();
    }

    @BeforeEach
    void converge() {
        fabric.awaitPhase("converged");
        fabric.switches().reset();
    }

    @AfterAll
    static void cleanUp() {
        try {
            fabric.delete();
            await("no bridge is left").atMost(TIMEOUT).until(() -> fabric.switches().bridges() == 0);
        } finally {
            fabric.close();
        }
    }

    /** 22 switches hold their programs including daqrings, and the cabling check finds every cable. */
    @Test
    void everySwitchHoldsItsProgram() {
        final var state = fabric.awaitState("all cables known", FabricState::areAllCablesKnown);
        assertThat(state.links("up")).hasSize(36);
        assertThat(state.dcmsOfSpines()).hasSize(6);
        assertThat(fabric.verify().findings()).isEmpty();
        assertThat(fabric.switches().counts().errors()).isZero();
    }

    /** A cut link is repaired by moving the 8 DCMs of its spine, and every DCM stays reachable. */
    @Test
    void cutLinkIsRepaired() {
        final var whole = fabric.state().placement();
        final var before = OffsetDateTime.now();
        fabric.switches().cut(List.of("p1l2:to-p1s1"));
        assertThat(fabric.awaitRepair(before).get("moved-dcms").getAsInt()).isBetween(1, 8);
        final var state = fabric.awaitPhase("degraded").state();
        assertThat(state.placement()).hasSize(48);
        assertThat(state.placement().entrySet().stream()
            .filter(each -> !each.getValue().equals(whole.get(each.getKey())))).hasSize(8);
        assertThat(state.links("down")).containsExactly("p1l2:to-p1s1");
        assertThat(state.reachableRos()).hasSize(48).allSatisfy((dcm, ros) -> assertThat(ros).isEqualTo(6));
        fabric.switches().restore(List.of("p1l2:to-p1s1"));
        fabric.awaitPhase("converged");
        assertThat(fabric.verify().findings()).isEmpty();
    }

    /** The switches forward proofs; where they are lost one way a link is down, and what passes everywhere is known. */
    @Test
    void silentLinkIsFound() {
        final var link = "p1l2:to-p1s1";
        fabric.switches().silence(link, true);
        final var state = fabric.awaitState("the link is silent", each -> each.links("down").contains(link));
        assertThat(state.links("down")).containsExactly(link);
        assertThat(state.json().toString()).contains("\"silent-to-peer\":true").doesNotContain("silent-from-peer");
        fabric.switches().silence(link, false);
        fabric.awaitPhase("converged");
        assertThat(fabric.state().json().has("proofs-silent")).isFalse();
    }

    /** A spine, a leaf and an edge switch that return without rules get them back. */
    @Test
    void switchesGetTheirRulesBackAfterPowerLoss() {
        final int rules = fabric.switches().rules();
        final var lost = List.of("p1s2", "p2l1", "h2-2");
        fabric.switches().off(lost, true);
        fabric.awaitState("they are missed", state -> state.links("down").size() == 2 + 9 + 2);
        assertThat(fabric.switches().rules(lost)).isZero();
        fabric.switches().on(lost);
        fabric.awaitPhase("converged");
        await("rules as before").atMost(TIMEOUT).until(() -> fabric.switches().rules() == rules);
        assertThat(fabric.verify().findings()).isEmpty();
    }

    /** Switches that reconnect with all their rules are read, and sent nothing. */
    @Test
    void reconnectionsCauseNoChanges() {
        final var all = fabric.switches().switches();
        fabric.switches().drop(all);
        await("every switch is asked what it holds").atMost(TIMEOUT).until(() -> all.stream().allMatch(each ->
            fabric.switches().counts(List.of(each)).multipartRequests() > 0));
        fabric.awaitPhase("converged");
        assertThat(fabric.switches().connected()).isEqualTo(22);
        assertThat(fabric.switches().counts().changes()).isZero();
        assertThat(fabric.verify().findings()).isEmpty();
    }

    /** A switch whose table is full is reported with its error, and retried. */
    @Test
    void switchThatRefusesRulesIsNamed() {
        fabric.switches().off(List.of("p2s3"), true);
        fabric.awaitPhase("degraded");
        fabric.switches().refuse("p2s3", Integer.MAX_VALUE);
        fabric.switches().on(List.of("p2s3"));
        fabric.awaitState("the refusal is told", state -> state.switchNamed("p2s3").has("last-error")
            && state.switchNamed("p2s3").get("last-error").getAsString().contains("refused"));
        fabric.switches().refuse("p2s3", 0);
        fabric.awaitPhase("converged");
        assertThat(fabric.verify().findings()).isEmpty();
    }

    /** A switch that does not answer barriers is reported, and read when it answers again. */
    @Test
    void switchThatAnswersNoBarrierIsNamed() {
        fabric.switches().holdBarriers("p1s3", true);
        try {
            fabric.switches().cut(List.of("p1l1:to-p1s3"));
            fabric.awaitState("the silence is told", state -> state.switchNamed("p1s3").has("last-error"));
        } finally {
            fabric.switches().holdBarriers("p1s3", false);
            fabric.switches().restore(List.of("p1l1:to-p1s3"));
        }
        fabric.awaitPhase("converged");
        assertThat(fabric.verify().findings()).isEmpty();
    }
}
