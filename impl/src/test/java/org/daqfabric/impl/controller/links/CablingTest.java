package org.daqfabric.impl.controller.links;

import static org.assertj.core.api.Assertions.assertThat;

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

/** What is made of the ports found at the other ends. The fabric is a leaf with two spines, and what hangs on it. */
class CablingTest {
    private static final Topology TOPOLOGY = new Topology(TestFabrics.regular("small", 1, 2, 1, 1, 1, 1));
    private static final PortNumbers NUMBERS = new PortNumbers(new TreeMap<>(Map.of(
        "leaf-1-1", ports("s1", 1, "s2", 2, "ring-x", 3), "spine-1-1", ports("l1", 5), "spine-1-2", ports("l1", 6))));
    private static final NumberedLink TO_FIRST = cable("s1");
    private static final NumberedLink TO_SECOND = cable("s2");

    private final Cabling cabling = new Cabling();

    private static NumberedLink cable(String port) {
        return NumberedLink.of(TOPOLOGY, NUMBERS).stream().filter(link -> link.end().equals(new PortId("leaf-1-1", port)))
            .findFirst().orElseThrow();
    }

    private static SortedMap<String, Integer> ports(Object... namesAndNumbers) {
        SortedMap<String, Integer> ports = new TreeMap<>();
        for (int each = 0; each < namesAndNumbers.length; each += 2) {
            ports.put((String) namesAndNumbers[each], (Integer) namesAndNumbers[each + 1]);
        }
        return ports;
    }

    private List<String> news() {
        return cabling.newFindings(NumberedLink.of(TOPOLOGY, NUMBERS), NUMBERS);
    }

    @Test
    void whatIsDeclaredIsFine() {
        assertThat(cabling.peer(TO_FIRST, NUMBERS)).isEmpty();
        assertThat(cabling.isMiscabled(TO_FIRST)).as("nothing known").isFalse();
        cabling.found("leaf-1-1", 1, "spine-1-1", 5);
        cabling.found("spine-1-1", 5, "leaf-1-1", 1);
        assertThat(cabling.peer(TO_FIRST, NUMBERS)).contains(new PortId("spine-1-1", "l1"));
        assertThat(cabling.isMiscabled(TO_FIRST)).isFalse();
        assertThat(news()).isEmpty();
    }

    /** The line must suffice to go and mend it. */
    @Test
    void bothEndsAndWhatWasExpectedAreTold() {
        cabling.found("leaf-1-1", 1, "spine-1-2", 6);
        cabling.found("leaf-1-1", 2, "spine-1-1", 5);
        cabling.found("spine-1-1", 5, "leaf-1-1", 2);
        assertThat(cabling.isMiscabled(TO_FIRST)).isTrue();
        assertThat(cabling.isMiscabled(TO_SECOND)).isTrue();
        assertThat(news()).containsExactlyInAnyOrder(
            "link leaf-1-1:s1 is miscabled: leaf-1-1:s1 sees spine-1-2:l1, expected spine-1-1:l1; "
                + "spine-1-1:l1 sees leaf-1-1:s2, expected leaf-1-1:s1; correct the cable or the configuration",
            "link leaf-1-1:s2 is miscabled: leaf-1-1:s2 sees spine-1-1:l1, expected spine-1-2:l1; "
                + "correct the cable or the configuration");
    }

    /** A cable is not told of every 5 s, but again when it came back wrong. */
    @Test
    void eachChangeIsToldOnce() {
        cabling.found("leaf-1-1", 1, "spine-1-2", 6);
        assertThat(cabling.isKnown("leaf-1-1", 1, "spine-1-2", 6)).isTrue();
        assertThat(news()).hasSize(1);
        assertThat(news()).isEmpty();
        cabling.found("spine-1-1", 5, "leaf-1-1", 2);
        assertThat(news()).as("the other end sees the same wrong cable").isEmpty();
        cabling.found("leaf-1-1", 1, "elsewhere/s", 9);
        assertThat(news()).singleElement().asString().contains("leaf-1-1:s1 sees elsewhere/s:9, expected");
        cabling.forget("leaf-1-1", 1);
        cabling.forget("spine-1-1", 5);
        assertThat(cabling.isKnown("leaf-1-1", 1, "elsewhere/s", 9)).isFalse();
        assertThat(cabling.isMiscabled(TO_FIRST)).isFalse();
        assertThat(news()).isEmpty();
        cabling.found("leaf-1-1", 1, "elsewhere/s", 9);
        assertThat(news()).hasSize(1);
    }

    /** The right switch is not enough: with parallel links the port must be the right one, too. */
    @Test
    void anotherPortOfTheRightSwitchIsWrong() {
        cabling.found("leaf-1-1", 1, "spine-1-1", 7);
        assertThat(cabling.isMiscabled(TO_FIRST)).isTrue();
        assertThat(cabling.peer(TO_FIRST, NUMBERS)).contains(new PortId("spine-1-1", "7"));
    }

    @Test
    void onlyPortsOfLinksAreWatched() {
        assertThat(Cabling.ports(NumberedLink.of(TOPOLOGY, NUMBERS))).isEqualTo(
            Map.of("leaf-1-1", Set.of(1, 2), "spine-1-1", Set.of(5), "spine-1-2", Set.of(6)));
    }
}
