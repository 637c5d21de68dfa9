package org.daqfabric.impl.controller.links;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.controller.spi.BridgeListener.PortStatus;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.topology.Role;
import org.daqfabric.impl.engine.topology.Topology;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When a switch may have restarted, judged by what was reported; in a fabric of two planes with a spine each. */
class DoubtTest {
    private static final Topology TOPOLOGY = new Topology(TestFabrics.regular("small", 2, 1, 2, 1, 1, 1));
    private static final String RACK = TOPOLOGY.roles().entrySet().stream()
        .filter(each -> each.getValue() instanceof Role.OfRack).map(Map.Entry::getKey).findFirst().orElseThrow();

    private final SortedMap<String, SwitchView> views = new TreeMap<>();
    private final Doubt doubt = new Doubt("small", views);
    /** Through which no packets pass. */
    private Set<String> mute = Set.of();
    private PortNumbers numbers;
    private List<NumberedLink> links;

    @BeforeEach
    void allIsUp() {
        SortedMap<String, SortedMap<String, Integer>> given = new TreeMap<>();
        TOPOLOGY.spec().links().forEach(link -> List.of(link.end(), link.peer()).forEach(port -> {
            SortedMap<String, Integer> ports = given.computeIfAbsent(port.switchName(), name -> new TreeMap<>());
            ports.put(port.port(), ports.size() + 1);
        }));
        numbers = new PortNumbers(given);
        links = NumberedLink.of(TOPOLOGY, numbers);
        given.forEach((name, ports) -> {
            Map<String, PortStatus> statuses = new TreeMap<>();
            ports.forEach((port, number) ->
                statuses.put(port, new PortStatus(OptionalInt.of(number), true, "")));
            SwitchView view = SwitchView.UNKNOWN.ovsdbUp(false).bridge(statuses, "").openflowUp();
            for (int number : ports.values()) {
                view = view.port(number, true, Set.of());
            }
            views.put(name, view);
        });
        update();
    }

    private void update() {
        doubt.update(TOPOLOGY, new LinkStates(links, views).fallen(Set.of()), mute);
    }

    private void report(PortId port, boolean up) {
        views.computeIfPresent(port.switchName(), (name, view) ->
            view.port(numbers.of(name).get(port.port()), up, Set.of()));
    }

    /** The neighbours of the rack report their ports to it. */
    private void neighboursReport(boolean up) {
        TOPOLOGY.spec().links().forEach(link -> {
            if (link.end().switchName().equals(RACK)) {
                report(link.peer(), up);
            } else if (link.peer().switchName().equals(RACK)) {
                report(link.end(), up);
            }
            update();
        });
    }

    private void rackReports(boolean up) {
        TOPOLOGY.spec().links().forEach(link -> List.of(link.end(), link.peer()).stream()
            .filter(port -> port.switchName().equals(RACK)).forEach(port -> report(port, up)));
        update();
    }

    private void rack(UnaryOperator<SwitchView> change) {
        views.computeIfPresent(RACK, (name, view) -> change.apply(view));
        update();
    }

    @Test
    void nobodyIsInDoubtAtFirst() {
        assertThat(doubt.switches()).isEmpty();
        rack(SwitchView::openflowDown);
        assertThat(doubt.switches()).as("out of reach, and its links stand").isEmpty();
    }

    /** A switch that is new in the configuration, and has not been there. */
    @Test
    void neverForwarded() {
        Doubt fresh = new Doubt("small", views);
        rack(SwitchView::openflowDown);
        neighboursReport(false);
        fresh.update(TOPOLOGY, new LinkStates(links, views).fallen(Set.of()), Set.of());
        assertThat(fresh.switches()).isEmpty();
    }

    /** What another controller knew counts until the switch says something to this one. */
    @Test
    void wasInDoubtBefore() {
        views.put(RACK, SwitchView.UNKNOWN);
        doubt.restore(Set.of(RACK, "not configured any more"));
        update();
        assertThat(doubt.switches()).containsExactly(RACK);
        rack(SwitchView::openflowUp);
        assertThat(doubt.switches()).isEmpty();
        doubt.restore(Set.of(RACK));
        assertThat(doubt.switches()).as("it has connected before the store answers").isEmpty();
    }

    /** Packets do not pass through a switch out of reach whose links stand; the doubt stays when none are sent. */
    @Test
    void lostItsRulesOutOfReach() {
        mute = Set.of(RACK);
        update();
        assertThat(doubt.switches()).as("it is connected, and will be read").isEmpty();
        rack(SwitchView::openflowDown);
        assertThat(doubt.switches()).containsExactly(RACK);
        mute = Set.of();
        update();
        assertThat(doubt.switches()).containsExactly(RACK);
        rack(SwitchView::openflowUp);
        assertThat(doubt.switches()).isEmpty();
    }

    @Test
    void restartedOutOfReach() {
        rack(SwitchView::openflowDown);
        neighboursReport(false);
        assertThat(doubt.switches()).containsExactly(RACK);
        neighboursReport(true);
        assertThat(doubt.switches()).containsExactly(RACK);
        rack(SwitchView::openflowUp);
        assertThat(doubt.switches()).isEmpty();
    }

    /** The end of its connection is not noticed yet. */
    @Test
    void saysNothingOfLinksThatAreDown() {
        neighboursReport(false);
        assertThat(doubt.switches()).containsExactly(RACK);
        assertThat(doubt.connected()).containsExactly(RACK);
        neighboursReport(true);
        rack(SwitchView::openflowDown);
        assertThat(doubt.switches()).containsExactly(RACK);
        assertThat(doubt.connected()).isEmpty();
    }

    /** One that answers is there, also while it sees its links as up that its neighbours see as down. */
    @Test
    void answers() {
        neighboursReport(false);
        rack(SwitchView::heard);
        assertThat(doubt.switches()).isEmpty();
        update();
        assertThat(doubt.switches()).as("they are down as before").isEmpty();
        rack(SwitchView::openflowDown);
        assertThat(doubt.switches()).as("now nobody knows").containsExactly(RACK);
    }

    /** All its cables are pulled: it says so itself. */
    @Test
    void reportsThatItsLinksAreDown() {
        rackReports(false);
        neighboursReport(false);
        assertThat(doubt.switches()).isEmpty();
    }

    @Test
    void oneLinkAfterTheOther() {
        rack(SwitchView::openflowDown);
        TOPOLOGY.spec().links().stream().filter(link -> link.end().switchName().equals(RACK)
            || link.peer().switchName().equals(RACK)).forEach(link -> {
                PortId port = link.end().switchName().equals(RACK) ? link.peer() : link.end();
                report(port, false);
                update();
                report(port, true);
                update();
            });
        assertThat(doubt.switches()).as("never all at the same time").isEmpty();
    }

    /** What a neighbour reported last, which is not connected either, says that the link stood. */
    @Test
    void neighbourIsOutOfReachToo() {
        rack(SwitchView::openflowDown);
        TOPOLOGY.segments(RACK).stream().map(segment -> segment.upper().switchName()).findFirst()
            .ifPresent(leaf -> views.computeIfPresent(leaf, (name, view) -> view.openflowDown()));
        TOPOLOGY.segments(RACK).stream().skip(1).forEach(segment -> report(segment.upper(), false));
        update();
        assertThat(doubt.switches()).isEmpty();
    }
}
