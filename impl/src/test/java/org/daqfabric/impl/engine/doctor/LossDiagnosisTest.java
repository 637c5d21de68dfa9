package org.daqfabric.impl.engine.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.daqfabric.api.alarm.AlarmResource;
import org.daqfabric.api.alarm.AlarmSeverity;
import org.daqfabric.api.alarm.AlarmType;
import org.daqfabric.api.spec.AdminState;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.state.FabricState.HostDrops;
import org.daqfabric.api.state.FabricState.LinkState;
import org.daqfabric.api.state.FabricState.Loss;
import org.daqfabric.api.state.FabricState.OperState;
import org.daqfabric.api.state.FabricState.Role;
import org.daqfabric.api.state.FabricState.Silence;
import org.daqfabric.api.state.FabricState.SwitchState;
import org.daqfabric.api.state.FabricState.Traffic;
import org.junit.jupiter.api.Test;

/** Lossy links are alarms with the direction, and what was lost before is a note. */
class LossDiagnosisTest {
    private static final Link LINK =
        new Link(new PortId("l", "up"), new PortId("s", "down"), 10, AdminState.IN_SERVICE);

    private static LinkState state(Loss there, Loss back) {
        return state(false, there, back);
    }

    private static LinkState state(boolean heldBack, Loss there, Loss back) {
        return new LinkState(LINK.end(), OperState.UP, Instant.EPOCH, Optional.empty(), heldBack,
            new Traffic(0, OptionalDouble.empty(), Optional.of(there)),
            new Traffic(0, OptionalDouble.empty(), Optional.of(back)), Silence.NONE);
    }

    private static Optional<Diagnosed> found(Loss there, Loss back) {
        return LossDiagnosis.of(AlarmResource.link("f", LINK.end()), LINK, state(there, back));
    }

    private static Optional<Diagnosed> lost(Loss there, Loss back) {
        return LossDiagnosis.lost("f", List.of(LINK), Map.of(LINK.end(), state(there, back)));
    }

    /** The text has the rate to the order of magnitude and no number of packets, which would change all the time. */
    @Test
    void lossyLinksAreAlarms() {
        assertThat(found(new Loss(0, 7), new Loss(0, 0))).isEmpty();
        Diagnosed little = found(new Loss(0, 7), new Loss(1000, 12)).orElseThrow();
        assertThat(little.alarms()).singleElement().satisfies(alarm -> {
            assertThat(alarm.id().type()).isEqualTo(AlarmType.LINK_LOSSY);
            assertThat(alarm.severity()).isEqualTo(AlarmSeverity.MINOR);
            assertThat(alarm.text()).isEqualTo("loses packets from s:down to l:up, in the order of 0.1 %");
        });
        Diagnosed much = found(new Loss(10_000, 7), new Loss(100, 12)).orElseThrow();
        assertThat(much.alarms()).singleElement().satisfies(alarm -> {
            assertThat(alarm.severity()).isEqualTo(AlarmSeverity.MAJOR);
            assertThat(alarm.text()).isEqualTo("loses packets from l:up to s:down, in the order of 1 %, and from s:down"
                + " to l:up, in the order of 0.01 %");
        });
    }

    @Test
    void aLinkThatIsNotUsedNeedsNoDrain() {
        assertThat(found(new Loss(1000, 12), new Loss(0, 0)).orElseThrow().advice().advice())
            .contains("'daqfabric:drain l:up'");
        assertThat(LossDiagnosis.of(AlarmResource.link("f", LINK.end()), LINK,
            state(true, new Loss(1000, 12), new Loss(0, 0))).orElseThrow().advice().advice())
            .contains("not used as long as the others suffice").doesNotContain("drain");
    }

    /** What hosts dropped is named as theirs; a host of which nothing is known, or that dropped nothing, is not. */
    @Test
    void dropsOfHostsAreANote() {
        SwitchState unknown = hostOf("unknown", Optional.empty());
        SwitchState sound = hostOf("sound", Optional.of(HostDrops.NONE));
        assertThat(LossDiagnosis.inHosts("f", List.of(unknown, sound))).isEmpty();
        Diagnosed note = LossDiagnosis.inHosts("f", List.of(unknown, sound, hostOf("rack",
            Optional.of(new HostDrops(57, 3))))).orElseThrow();
        assertThat(note.alarms()).isEmpty();
        assertThat(note.advice().subject()).isEqualTo("hosts of f");
        assertThat(note.advice().what()).endsWith("since the controller started: 57 at packet sockets on the host of"
            + " rack, 3 in processors' backlogs on the host of rack");
        assertThat(note.advice().advice()).contains("net.core.rmem_default", "net.core.netdev_max_backlog");
    }

    private static SwitchState hostOf(String name, Optional<HostDrops> drops) {
        return new SwitchState(name, Role.LEAF, true, true, false, 1, OptionalLong.of(1), 1, 1, OptionalInt.of(1),
            drops, "");
    }

    @Test
    void lostPacketsAreANote() {
        assertThat(lost(new Loss(0, 0), new Loss(1000, 12))).isEmpty();
        Diagnosed note = lost(new Loss(0, 7), new Loss(0, 0)).orElseThrow();
        assertThat(note.alarms()).isEmpty();
        assertThat(note.advice().what())
            .isEqualTo("one has lost packets since the controller started: 7 from l:up to s:down");
    }
}
