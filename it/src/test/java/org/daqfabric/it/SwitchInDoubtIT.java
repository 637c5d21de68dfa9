package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A switch that loses its rules while the controller cannot reach it. */
@ExtendWith(SharedController.class)
class SwitchInDoubtIT {
    private static final Logger LOG = LoggerFactory.getLogger(SwitchInDoubtIT.class);
    /** The limit is 2 s; the machine may have other things to do, as a BFD session that takes its time to fall. */
    private static final Duration WITHIN = Duration.ofSeconds(10);
    private static final String HOLDS_NOTHING = "may hold nothing";

    private static LabFabric fabric;
    private static AlarmWatch watch;
    private static Restconf restconf;

    @BeforeAll
    static void bringUp(final Lab lab, final Distribution controller) {
        watch = new AlarmWatch(controller);
        restconf = controller.restconf();
        fabric = lab.converged(lab.generate("doubt", "--planes 2 --spines 2 --pods 2 --ros 1 --racks 1 --dcms 2")
            .withBfd(true));
        fabric.assertAllReachable();
    }

    @AfterAll
    static void close() {
        watch.close();
    }

    private static String resource(final String rest) {
        return "fabric/" + fabric.name() + rest;
    }

    private static FabricState restartOutOfReach(final String name) {
        fabric.daqlab("isolate", name);
        fabric.daqlab("restart", name);
        final var restarted = Instant.now();
        final var state = fabric.awaitState(name + " is in doubt", found -> found.switchNamed(name).has("in-doubt"));
        final var took = Duration.between(restarted, Instant.now());
        LOG.info("{} is in doubt {} ms after its restart", name, took.toMillis());
        assertThat(took).isLessThan(WITHIN);
        return state;
    }

    private static void rejoin(final String name) {
        fabric.daqlab("rejoin", name);
        fabric.awaitState(name + " is back", state -> state.phase().equals("converged")
            && !state.switchNamed(name).has("in-doubt"));
        fabric.assertAllReachable();
    }

    /** Nothing leads to a rack but the rack itself: its DCMs are cut off, and are said to be. */
    @Test
    void rack() {
        final var state = restartOutOfReach("h1-1");
        assertThat(state.reachableRos()).isEqualTo(Map.of("h1-1d1", 0, "h1-1d2", 0, "h2-1d1", 2, "h2-1d2", 2));
        assertThat(fabric.missingPairs()).isEqualTo(Set.of("h1-1d1", "h1-1d2").stream()
            .flatMap(dcm -> Set.of(Set.of(dcm, "r1-1"), Set.of(dcm, "r2-1")).stream()).collect(Collectors.toSet()));
        // they are down until BFD has come up again
        fabric.awaitState("its links are unknown",
            found -> found.links("unknown").equals(Set.of("h1-1:to-p1l1", "h1-1:to-p2l1")));
        watch.awaitRaised("dcms-cut-off", resource(""));
        final var away = watch.awaitRaised("switch-away", resource("/switch/h1-1"));
        AlarmWatch.awaitIn(restconf, "switch-away", resource("/switch/h1-1"),
            alarm -> alarm.get("alarm-text").getAsString().contains(HOLDS_NOTHING));
        assertThat(away.get("perceived-severity").getAsString()).isEqualTo("major");
        FirstFinding.await(watch.shell(), fabric.name(), HOLDS_NOTHING);
        assertThat(watch.text("daqfabric:doctor")).contains("2 of 4 DCMs are not reached by every ROS:"
            + " h1-1d1, h1-1d2; h1-1 " + HOLDS_NOTHING);
        rejoin("h1-1");
        watch.awaitCleared("dcms-cut-off", resource(""));
        watch.awaitCleared("switch-away", resource("/switch/h1-1"));
    }

    /** No event can be built: that is critical, though every DCM lacks the same ROS. */
    @Test
    void ros() {
        final var state = restartOutOfReach("r1-1");
        assertThat(state.reachableRos().values()).containsOnly(1);
        final var alarm = watch.awaitRaised("dcms-cut-off", resource(""));
        assertThat(alarm.get("perceived-severity").getAsString()).isEqualTo("critical");
        assertThat(alarm.get("alarm-text").getAsString()).startsWith("4 of 4 DCMs").contains("r1-1 " + HOLDS_NOTHING);
        assertThat(FirstFinding.await(watch.shell(), fabric.name(), HOLDS_NOTHING).subject())
            .isEqualTo("switch r1-1 of " + fabric.name());
        rejoin("r1-1");
        watch.awaitCleared("dcms-cut-off", resource(""));
    }

    /**
     * A leaf in doubt is not used. While another failure leaves no other way it may be, as it may have its rules: the
     * DCMs whose packets it loses are said to be cut off. As soon as there is another way, nothing is lost any more.
     */
    @Test
    void leafAndThenAnotherOne() {
        restartOutOfReach("p1l1");
        await("loss ends").atMost(LabFabric.TIMEOUT).until(() -> fabric.missingPairs().isEmpty());
        assertThat(fabric.state().reachableRos().values()).containsOnly(2);
        try (var ping = fabric.ping(20)) {
            fabric.daqlab("freeze", "p2l2");
            final var frozen = Instant.now();
            fabric.awaitState("nobody reaches the other pod", state -> state.links("down").contains("p2l2:to-p2s1")
                && state.reachableRos().values().stream().allMatch(each -> each == 1));
            final var said = Duration.between(frozen, Instant.now());
            LOG.info("that nobody reaches the other pod is said after {} ms", said.toMillis());
            assertThat(said).isLessThan(WITHIN);
            assertThat(fabric.missingPairs()).isEqualTo(Set.of(Set.of("h1-1d1", "r2-1"), Set.of("h1-1d2", "r2-1"),
                Set.of("h2-1d1", "r1-1"), Set.of("h2-1d2", "r1-1")));
            AlarmWatch.awaitIn(restconf, "dcms-cut-off", resource(""), false);
            fabric.daqlab("thaw", "p2l2");
            final var thawed = Instant.now();
            fabric.awaitState("p2l2 is used", state ->
                state.links("up").containsAll(Set.of("p2l2:to-p2s1", "p2l2:to-p2s2", "r2-1:to-p2l2", "h2-1:to-p2l2")));
            final var used = Instant.now();
            LOG.info("p2l2 is used {} ms after it goes on", Duration.between(thawed, used).toMillis());
            await("packets after that").pollDelay(Duration.ofSeconds(3)).until(() -> true);
            ping.assertLostNothingSince(used.plus(Duration.ofSeconds(2)));
        }
        assertThat(fabric.missingPairs()).isEmpty();
        assertThat(fabric.state().reachableRos().values()).containsOnly(2);
        AlarmWatch.awaitIn(restconf, "dcms-cut-off", resource(""), true);
        rejoin("p1l1");
    }

    /** The links of a leaf stand, as its Open vSwitch runs, but its rules are gone: only packets show it. */
    @Test
    void leafWithoutRulesWhoseLinksStand() {
        fabric.daqlab("isolate", "p1l1");
        fabric.awaitState("p1l1 is missed",
            found -> !found.switchNamed("p1l1").get("openflow-connected").getAsBoolean());
        assertThat(fabric.state().switchNamed("p1l1").has("in-doubt")).isFalse();
        assertThat(fabric.missingPairs()).isEmpty();
        fabric.ofctl("p1l1", "del-flows");
        final var lost = Instant.now();
        fabric.awaitState("p1l1 is in doubt", found -> found.switchNamed("p1l1").has("in-doubt"));
        LOG.info("p1l1 is in doubt {} ms after its rules went", Duration.between(lost, Instant.now()).toMillis());
        fabric.awaitNoLoss(lost, WITHIN);
        assertThat(fabric.state().links("up")).contains("p2l1:to-p2s1").doesNotContain("p1l1:to-p1s1");
        FirstFinding.await(watch.shell(), fabric.name(), "no packets pass through it");
        rejoin("p1l1");
    }
}
