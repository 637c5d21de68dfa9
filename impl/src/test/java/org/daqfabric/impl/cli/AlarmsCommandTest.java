package org.daqfabric.impl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.karaf.shell.support.CommandException;
import org.daqfabric.api.alarm.Alarm;
import org.daqfabric.api.alarm.AlarmId;
import org.daqfabric.api.alarm.AlarmResource;
import org.daqfabric.api.alarm.AlarmSeverity;
import org.daqfabric.api.alarm.AlarmType;
import org.daqfabric.api.alarm.OperatorState;
import org.daqfabric.api.spec.PortId;
import org.junit.jupiter.api.Test;

/** {@code daqfabric:alarms}: what it shows, and what it asks for. */
class AlarmsCommandTest extends CommandFixture {
    private static final Instant T0 = Instant.parse("2026-11-25T10:00:00.123Z");

    private static Alarm alarm(AlarmResource resource, AlarmType type, boolean cleared, OperatorState... states) {
        return new Alarm(new AlarmId(resource, type), type.severity(), "is so", cleared, T0, T0, T0,
            List.of(new Alarm.StatusChange(T0, cleared ? Optional.empty() : Optional.of(AlarmSeverity.MAJOR), "is so")),
            List.of(states).stream().map(state -> new Alarm.OperatorAction(T0, "anna", state, "for a reason"))
                .toList());
    }

    private void fill() {
        configure("one");
        service.alarms = List.of(
            alarm(AlarmResource.own(AlarmResource.Kind.CONTROLLER, "memory"), AlarmType.MEMORY, false),
            alarm(AlarmResource.link("one", new PortId("a", "b")), AlarmType.LINK_DOWN, false, OperatorState.ACK),
            alarm(AlarmResource.ofSwitch("one", "s"), AlarmType.SWITCH_AWAY, true),
            alarm(AlarmResource.ofSwitch("one", "t"), AlarmType.SWITCH_AWAY, false, OperatorState.SHELVED));
    }

    @Test
    void theWorstComesFirst() throws CommandException {
        assertThat(run(new AlarmsCommand())).isEqualTo("No alarm is raised.\n");
        fill();
        assertThat(run(new AlarmsCommand())).startsWith(
            "MAJOR     fabric/one/link/a:b link-down: is so (since 2026-11-25T10:00:00.123Z, ack)\n")
            .containsSubsequence("-> check the cable", "WARNING   controller/memory memory: is so",
                "2 that are cleared or shelved: --all").doesNotContain("switch");
        AlarmsCommand json = new AlarmsCommand();
        json.all = true;
        json.json = true;
        assertThat(JsonParser.parseString(run(json)).getAsJsonObject().getAsJsonArray("alarms")).hasSize(4);
    }

    /** A name is a resource or what comes last in it; then everything is told of it. */
    @Test
    void namedAlarmsAreToldWhole() throws CommandException {
        fill();
        AlarmsCommand named = new AlarmsCommand();
        named.resources = List.of("s", "fabric/one/switch/t");
        assertThat(run(named)).contains("CLEARED   fabric/one/switch/s", "MAJOR     fabric/one/switch/t", "shelved",
            "shelved by anna: for a reason").doesNotContain("link");
        AlarmsCommand typed = new AlarmsCommand();
        typed.type = "memory";
        assertThat(run(typed)).startsWith("WARNING   controller/memory").doesNotContain("MAJOR");
    }

    @Test
    void operatorsSayWhatTheyDo() throws CommandException {
        fill();
        AlarmsCommand ack = new AlarmsCommand();
        ack.ack = true;
        assertRefused(ack, "say which");
        ack.resources = List.of("nobody");
        assertRefused(ack, "there is no such alarm");
        ack.resources = List.of("s", "t");
        ack.reason = "power is off";
        run(ack);
        assertThat(service.requests).containsExactly("setOperatorState [fabric/one/switch/s SWITCH_AWAY,"
            + " fabric/one/switch/t SWITCH_AWAY] ACK power is off");
        ack.shelve = true;
        assertRefused(ack, "at a time");
        AlarmsCommand purge = new AlarmsCommand();
        purge.purge = true;
        purge.resources = List.of("s");
        assertThat(run(purge)).isEqualTo("1 alarm removed.\n");
    }

    /** An alarm of another fabric must not be acknowledged with the one that is meant. */
    @Test
    void nameOfSeveralFabricsIsRefused() throws CommandException {
        configure("one", "two");
        service.alarms = List.of(
            alarm(AlarmResource.ofSwitch("one", "s"), AlarmType.SWITCH_AWAY, false),
            alarm(AlarmResource.ofSwitch("two", "s"), AlarmType.SWITCH_AWAY, true));
        AlarmsCommand ack = new AlarmsCommand();
        ack.ack = true;
        ack.resources = List.of("s");
        assertRefused(ack, "s is of several fabrics: name one with --fabric; of: one, two");
        ack.fabric = "one";
        run(ack);
        ack.fabric = null;
        ack.resources = List.of("fabric/two/switch/s");
        run(ack);
        assertThat(service.requests).containsExactly("setOperatorState [fabric/one/switch/s SWITCH_AWAY] ACK ",
            "setOperatorState [fabric/two/switch/s SWITCH_AWAY] ACK ");
    }
}
