package org.daqfabric.impl.engine.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.daqfabric.api.placement.Capacity;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.api.state.Advice;
import org.daqfabric.api.state.Advice.Severity;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FabricState.LinkState;
import org.daqfabric.api.state.FabricState.OperState;
import org.daqfabric.api.state.FabricState.Phase;
import org.daqfabric.api.state.FabricState.Role;
import org.daqfabric.api.state.FabricState.SwitchState;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.ConfiguredFabric;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Listener;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Loop;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Machine;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Node;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.OpenFlowController;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Protocol;
import org.junit.jupiter.api.Test;

/** Which switches are at fault when all their links are down. */
class FallenSwitchesTest {
    private static final List<Listener> LISTENERS = List.of(
        new Listener(Protocol.OVSDB, false, "10.0.0.1", false, 6640, true),
        new Listener(Protocol.OPENFLOW, false, "10.0.0.1", false, 6653, true));

    private final FabricSpec spec = TestFabrics.regular("f", 2, 2, 2, 1, 1, 2);

    private Set<String> fallen(Predicate<Link> down) {
        return FallenSwitches.of(spec, state(down, List.of()));
    }

    private FabricState state(Predicate<Link> down, List<SwitchState> switches) {
        List<LinkState> links = spec.links().stream().map(link -> new LinkState(link.end(),
            down.test(link) ? OperState.DOWN : OperState.UP, Instant.EPOCH, Optional.empty(), false)).toList();
        return new FabricState("f", Phase.DEGRADED, 1, switches, links, List.of(), List.of(), List.of(), List.of(),
            List.of(), new Capacity(1, 1, "", 1), Optional.empty(), Optional.empty(), Optional.empty());
    }

    private static boolean isAt(Link link, Switch which) {
        return link.end().switchName().equals(which.name()) || link.peer().switchName().equals(which.name());
    }

    /** Every switch in turn, and no other one. */
    @Test
    void theSwitchWithoutLinksIsNamed() {
        assertThat(spec.switches()).allSatisfy(each ->
            assertThat(fallen(link -> isAt(link, each))).containsExactly(each.name()));
    }

    /** One link that stands is enough to look at cables. */
    @Test
    void aSwitchWithALinkHasNotFallen() {
        assertThat(spec.switches()).allSatisfy(each -> {
            Link stands = spec.links().stream().filter(link -> isAt(link, each)).findFirst().orElseThrow();
            assertThat(fallen(link -> isAt(link, each) && !link.equals(stands))).isEmpty();
        });
        assertThat(fallen(link -> false)).isEmpty();
    }

    /** Where everything is down no switch is more at fault than another one. */
    @Test
    void nobodyIsNamedWhereEverythingIsDown() {
        assertThat(fallen(link -> true)).isEmpty();
    }

    /** What the doctor says first of a switch without links. */
    private Advice first(Switch of, boolean openflow, String error) {
        return first(of, openflow, error, List.of(new OpenFlowController("tcp:10.0.0.1:6653", true, "")));
    }

    private Advice first(Switch of, boolean openflow, String error, List<OpenFlowController> controllers) {
        List<SwitchState> switches = spec.switches().stream().map(each -> new SwitchState(each.name(), Role.LEAF, true,
            openflow || !each.equals(of), 1, OptionalLong.of(1), 1, 1, OptionalInt.of(1),
            each.equals(of) ? error : "")).toList();
        List<Node> nodes = spec.switches().stream().map(each -> new Node(each.systemId(), true, false, true, "10.0.1.1",
            "10.0.0.1", false, "", "", "3.1.0", Set.of("daqring"), controllers)).toList();
        return Diagnosis.of(new DiagnosisInput(List.of(new ConfiguredFabric(spec, Optional.of(state(link -> isAt(link,
            of), switches)), Loop.SOUND, 1e9)), LISTENERS, nodes, Map.of(), List.of(), List.of(), new TreeMap<>(),
            List.of(), List.of(), new Machine(1 << 20, 1 << 30, 0, 0, 2026), List.of(), List.of()), Set.of()).get(0);
    }

    /** The switch comes before its links, whatever its old database says of controllers; a known error before that. */
    @Test
    void theCauseComesFirst() {
        assertThat(spec.switches()).allSatisfy(each -> {
            assertSays(first(each, true, ""), each, "all its links are down");
            assertSays(first(each, false, ""), each, "not over OpenFlow, and all its links are down");
            assertThat(first(each, false, "bridge br-daq exists").what()).isEqualTo("bridge br-daq exists");
        });
    }

    /** Whatever its Open vSwitch does, it connects to no controller where its database names none. */
    @Test
    void aBridgeWithoutControllersIsNotTakenForAProcessThatHangs() {
        assertThat(spec.switches()).allSatisfy(each ->
            assertThat(first(each, false, "", List.of()).advice()).startsWith("no controller is set on its bridge"));
    }

    private static void assertSays(Advice advice, Switch of, String what) {
        assertThat(advice.severity()).isEqualTo(Severity.ERROR);
        assertThat(advice.subject()).isEqualTo("switch " + of.name() + " of f");
        assertThat(advice.what()).endsWith(what);
        assertThat(advice.advice()).contains("ovs-appctl version");
    }
}
