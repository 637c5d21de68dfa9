package org.daqfabric.impl.controller.links;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.topology.Topology;
import org.junit.jupiter.api.Test;

/** Findings of cabling checks, in a fabric of a leaf with two spines, a ROS and a rack. */
class CablingTest {
    private static final Topology TOPOLOGY = new Topology(TestFabrics.regular("small", 1, 2, 1, 1, 1, 1));
    private static final PortNumbers NUMBERS = new PortNumbers(new TreeMap<>(Map.of(
        "leaf-1-1", ports("s1", 1, "s2", 2, "ring-x", 3), "spine-1-1", ports("l1", 5), "spine-1-2", ports("l1", 6))));
    private static final NumberedLink TO_FIRST = link("s1");
    private static final NumberedLink TO_SECOND = link("s2");

    private Instant now = Instant.EPOCH;
    private final Cabling cabling = new Cabling(() -> now);

    private static NumberedLink link(String port) {
        return NumberedLink.of(TOPOLOGY, NUMBERS).stream()
            .filter(link -> link.end().equals(new PortId("leaf-1-1", port)))
            .findFirst().orElseThrow();
    }

    private static SortedMap<String, Integer> ports(Object... namesAndNumbers) {
        SortedMap<String, Integer> ports = new TreeMap<>();
        for (int each = 0; each < namesAndNumbers.length; each += 2) {
            ports.put((String) namesAndNumbers[each], (Integer) namesAndNumbers[each + 1]);
        }
        return ports;
    }

    private List<String> newFindings() {
        return cabling.newFindings(NumberedLink.of(TOPOLOGY, NUMBERS), NUMBERS);
    }

    /** A link whose peers are those of the configuration is not miscabled. */
    @Test
    void configuredPeersAreCorrect() {
        assertThat(cabling.peer(TO_FIRST, NUMBERS)).isEmpty();
        assertThat(cabling.isMiscabled(TO_FIRST)).as("nothing known").isFalse();
        cabling.found("leaf-1-1", 1, "spine-1-1", 5);
        cabling.found("spine-1-1", 5, "leaf-1-1", 1);
        assertThat(cabling.peer(TO_FIRST, NUMBERS)).contains(new PortId("spine-1-1", "l1"));
        assertThat(cabling.isMiscabled(TO_FIRST)).isFalse();
        assertThat(newFindings()).isEmpty();
    }

    /** The message names both ends and the expected ports, so that a technician can correct the cable. */
    @Test
    void messageNamesFoundAndExpectedPorts() {
        cabling.found("leaf-1-1", 1, "spine-1-2", 6);
        cabling.found("leaf-1-1", 2, "spine-1-1", 5);
        cabling.found("spine-1-1", 5, "leaf-1-1", 2);
        assertThat(cabling.isMiscabled(TO_FIRST)).isTrue();
        assertThat(cabling.isMiscabled(TO_SECOND)).isTrue();
        assertThat(newFindings()).containsExactlyInAnyOrder(
            "link leaf-1-1:s1 is miscabled: leaf-1-1:s1 sees spine-1-2:l1, expected spine-1-1:l1; "
                + "spine-1-1:l1 sees leaf-1-1:s2, expected leaf-1-1:s1; correct the cable or the configuration",
            "link leaf-1-1:s2 is miscabled: leaf-1-1:s2 sees spine-1-1:l1, expected spine-1-2:l1; "
                + "correct the cable or the configuration");
    }

    /** A miscabled link is logged once, and again if it is still wrong after it was unplugged. */
    @Test
    void miscabledLinkIsLoggedOnce() {
        cabling.found("leaf-1-1", 1, "spine-1-2", 6);
        assertThat(cabling.isKnown("leaf-1-1", 1, "spine-1-2", 6)).isTrue();
        assertThat(newFindings()).hasSize(1);
        assertThat(newFindings()).isEmpty();
        cabling.found("spine-1-1", 5, "leaf-1-1", 2);
        assertThat(newFindings()).as("the other end finds the same wrong cable").isEmpty();
        cabling.found("leaf-1-1", 1, "elsewhere/s", 9);
        assertThat(newFindings()).singleElement().asString()
            .contains("leaf-1-1:s1 sees elsewhere/s:9 and spine-1-2:l1, expected only spine-1-1:l1");
        cabling.forget("leaf-1-1", 1);
        cabling.forget("spine-1-1", 5);
        assertThat(cabling.isKnown("leaf-1-1", 1, "elsewhere/s", 9)).isFalse();
        assertThat(cabling.isMiscabled(TO_FIRST)).isFalse();
        assertThat(newFindings()).isEmpty();
        now = now.plusSeconds(70);
        cabling.found("leaf-1-1", 1, "elsewhere/s", 9);
        assertThat(newFindings()).hasSize(1);
    }

    /** One that is unplugged again and again, or a finding that changes its mind, does not fill the log. */
    @Test
    void sameFindingIsLoggedOnceAMinute() {
        int logged = 0;
        for (int second = 0; second < 300; second++) {
            cabling.found("leaf-1-1", 1, "spine-1-2", 6);
            logged += newFindings().size();
            cabling.forget("leaf-1-1", 1);
            logged += newFindings().size();
            now = now.plusSeconds(1);
        }
        assertThat(logged).isBetween(1, 5);
    }

    /** A mirror, or a hub, brings frames of another port beside those of the right one: that is wrong all the time. */
    @Test
    void twoSendersAreTwoFindings() {
        for (int round = 0; round < 10; round++) {
            cabling.found("leaf-1-1", 1, "spine-1-1", 5);
            cabling.found("leaf-1-1", 1, "ros-1-1", 1);
            long revision = cabling.revision();
            assertThat(cabling.isMiscabled(TO_FIRST)).isTrue();
            assertThat(cabling.isKnown("leaf-1-1", 1, "spine-1-1", 5)).as("it may be the last of two").isFalse();
            cabling.found("leaf-1-1", 1, "spine-1-1", 5);
            assertThat(cabling.isMiscabled(TO_FIRST)).isTrue();
            assertThat(cabling.revision()).as("nothing has changed").isEqualTo(revision);
            now = now.plusSeconds(5);
        }
        assertThat(cabling.peer(TO_FIRST, NUMBERS)).contains(new PortId("ros-1-1", "1"));
        now = now.plus(Cabling.LASTS);
        cabling.found("leaf-1-1", 1, "spine-1-1", 5);
        assertThat(cabling.isMiscabled(TO_FIRST)).as("the mirror has gone").isFalse();
        assertThat(cabling.isKnown("leaf-1-1", 1, "spine-1-1", 5)).isTrue();
        now = now.plus(Duration.ofHours(1));
        cabling.found("leaf-1-1", 1, "ros-1-1", 1);
        assertThat(cabling.isMiscabled(TO_FIRST)).isTrue();
    }

    /** Where only carrier is known, a link that was down is down until frames have passed both ways since. */
    @Test
    void framesAreAwaitedAfterALinkWasDown() {
        List<NumberedLink> links = NumberedLink.of(TOPOLOGY, NUMBERS);
        PortId name = TO_FIRST.end();
        assertThat(cabling.awaiting(links, Set.of())).as("never down").isEmpty();
        cabling.found("leaf-1-1", 1, "spine-1-1", 5);
        cabling.found("spine-1-1", 5, "leaf-1-1", 1);
        assertThat(cabling.awaiting(links, Set.of(name))).containsExactly(name);
        assertThat(cabling.awaiting(links, Set.of())).as("those arrived before").containsExactly(name);
        cabling.found("leaf-1-1", 1, "spine-1-1", 5);
        assertThat(cabling.awaiting(links, Set.of())).as("one way").containsExactly(name);
        cabling.found("spine-1-1", 5, "leaf-1-1", 1);
        assertThat(cabling.awaiting(links, Set.of())).isEmpty();
    }

    /** With parallel links the port must be correct, not only the switch. */
    @Test
    void anotherPortOfTheRightSwitchIsWrong() {
        cabling.found("leaf-1-1", 1, "spine-1-1", 7);
        assertThat(cabling.isMiscabled(TO_FIRST)).isTrue();
        assertThat(cabling.peer(TO_FIRST, NUMBERS)).contains(new PortId("spine-1-1", "7"));
    }

    /** Frames are sent only from ports of links. */
    @Test
    void onlyPortsOfLinksAreWatched() {
        assertThat(Cabling.ports(NumberedLink.of(TOPOLOGY, NUMBERS))).isEqualTo(
            Map.of("leaf-1-1", Set.of(1, 2), "spine-1-1", Set.of(5), "spine-1-2", Set.of(6)));
    }
}
