package org.daqfabric.impl.alarms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.daqfabric.api.alarm.Alarm;
import org.daqfabric.api.alarm.AlarmType;
import org.daqfabric.api.alarm.OperatorState;
import org.daqfabric.impl.async.Clocks;
import org.daqfabric.impl.engine.doctor.DiagnosisInput;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Listener;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Machine;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Protocol;
import org.junit.jupiter.api.Test;

/** What is told and stored, over restarts and while the store fails. */
class AlarmKeeperTest {
    private final MemoryAlarmStore store = new MemoryAlarmStore();
    private final List<String> told = new ArrayList<>();
    private Instant now = Instant.parse("2026-11-25T10:00:00.000Z");
    private Duration set = Duration.ZERO;
    private boolean open = true;
    private AlarmKeeper keeper = keeper();

    private AlarmKeeper keeper() {
        return new AlarmKeeper(() -> Optional.of(new DiagnosisInput(List.of(), List.of(
            new Listener(Protocol.OVSDB, false, "10.0.0.1", false, 6640, true),
            new Listener(Protocol.OPENFLOW, false, "10.0.0.1", false, 6653, open)), List.of(), Map.of(), List.of(),
            List.of(), new TreeMap<>(), List.of(), List.of(), new Machine(1, 2, 0, 0, 2026), List.of(), List.of())),
            store, List.of(new AlarmListener() {
                @Override
                public void listChanged(List<Alarm> alarms) {
                    // the events tell
                }

                @Override
                public void statusChanged(Alarm alarm) {
                    told.add((alarm.cleared() ? "cleared " : "raised ") + alarm.id().type());
                }

                @Override
                public void operatorActed(Alarm alarm) {
                    told.add(alarm.actions().getFirst().state() + " " + alarm.id().type());
                }
            }), new Clocks(() -> now.plus(set), () -> now));
    }

    private void pass(Duration time) {
        now = now.plus(time);
        keeper.evaluate();
    }

    private void begin() {
        keeper.begin();
        keeper.evaluate();
        pass(Settling.LONGEST.plusSeconds(1));
    }

    @Test
    void raisedAndClearedOnceEach() {
        begin();
        open = false;
        pass(Duration.ofSeconds(1));
        pass(Duration.ofSeconds(1));
        open = true;
        pass(Duration.ofSeconds(2));
        pass(Duration.ofSeconds(2));
        assertThat(told).containsExactly("raised LISTENER_CLOSED", "cleared LISTENER_CLOSED");
        assertThat(List.copyOf(store.stored.values())).isEqualTo(keeper.now());
    }

    /** A controller that goes on shows the same list and does not tell again what it has told. */
    @Test
    void goesOnAfterARestart() {
        begin();
        open = false;
        pass(Duration.ofSeconds(1));
        keeper.operate(id -> true, OperatorState.ACK, "anna", "on my way");
        List<Alarm> before = keeper.now();
        told.clear();
        keeper.end();
        assertThat(keeper.now()).isEmpty();
        keeper = keeper();
        begin();
        pass(Duration.ofMinutes(1));
        assertThat(keeper.now()).isEqualTo(before);
        assertThat(told).isEmpty();
    }

    /** Before it knows enough, a controller neither raises nor clears. */
    @Test
    void waitsUntilMuchIsKnown() {
        open = false;
        keeper.begin();
        keeper.evaluate();
        pass(Settling.LONGEST.minusSeconds(1));
        assertThat(keeper.now()).isEmpty();
        pass(Duration.ofSeconds(2));
        assertThat(keeper.now()).extracting(alarm -> alarm.id().type()).containsExactly(AlarmType.LISTENER_CLOSED);
    }

    /** Alarms are raised, cleared and stored although somebody sets the clock back an hour. */
    @Test
    void clockIsSetBack() {
        keeper.begin();
        keeper.evaluate();
        set = Duration.ofHours(-1);
        open = false;
        pass(Settling.LONGEST.plusSeconds(1));
        assertThat(keeper.now()).extracting(Alarm::cleared).containsExactly(false);
        set = Duration.ofHours(-2);
        open = true;
        pass(Duration.ofSeconds(2));
        assertThat(keeper.now()).extracting(Alarm::cleared).containsExactly(true);
        assertThat(store.stored.values()).containsExactlyElementsOf(keeper.now());
    }

    @Test
    void aStoreThatFailsIsTriedAgain() {
        store.broken = true;
        keeper.begin();
        keeper.evaluate();
        assertThat(keeper.isKnown()).isFalse();
        store.broken = false;
        begin();
        store.broken = true;
        open = false;
        pass(Duration.ofSeconds(1));
        assertThat(keeper.now()).hasSize(1);
        assertThat(store.stored).isEmpty();
        store.broken = false;
        pass(Duration.ofMinutes(1));
        assertThat(store.stored).hasSize(1);
    }

    /** Something that flaps for a day writes about once a minute, and the last state is stored in the end. */
    @Test
    void whatFlapsWritesRarely() {
        begin();
        for (int turn = 0; turn < 24 * 3600 * 2; turn++) {
            open = !open;
            pass(Duration.ofMillis(500));
        }
        assertThat(store.writes).isBetween(1400, 1500);
        pass(Duration.ofMinutes(1));
        assertThat(List.copyOf(store.stored.values())).isEqualTo(keeper.now());
        assertThat(keeper.now().get(0).changes()).hasSize(AlarmList.MOST_CHANGES);
        // after a quiet time the next one is stored at once
        pass(Duration.ofMinutes(10));
        open = !open;
        int before = store.writes;
        pass(Duration.ofMillis(500));
        assertThat(store.writes).isEqualTo(before + 1);
    }

    /** A controller that is stopped a moment after a change has stored it; another member's list it leaves alone. */
    @Test
    void whatWaitsIsStoredAtTheEnd() throws InterruptedException {
        begin();
        for (int turn = 0; turn < 5; turn++) {
            open = !open;
            pass(Duration.ofMillis(500));
        }
        assertThat(List.copyOf(store.stored.values())).isNotEqualTo(keeper.now());
        keeper.close();
        assertThat(List.copyOf(store.stored.values())).isEqualTo(keeper.now());
        int before = store.writes;
        keeper.close();
        keeper.end();
        keeper.close();
        assertThat(store.writes).isEqualTo(before);
    }

    @Test
    void operatorsAreAnsweredWhenItIsStored() {
        begin();
        open = false;
        pass(Duration.ofSeconds(1));
        assertThat(keeper.operate(id -> true, OperatorState.SHELVED, "anna", "known").toCompletableFuture().join())
            .allMatch(Alarm::shelved);
        assertThat(store.stored.values()).allMatch(Alarm::shelved);
        open = true;
        pass(Duration.ofMinutes(1));
        assertThat(keeper.purge(each -> true).toCompletableFuture().join()).hasSize(1);
        assertThat(store.stored).isEmpty();
        keeper.end();
        assertThatThrownBy(() -> keeper.purge(each -> true).toCompletableFuture().join())
            .hasMessageContaining("another is active");
    }

    /** Nothing is told, shown or answered of what a controller that is killed now would not know afterwards. */
    @Test
    void operatorsActWhenItIsStored() {
        begin();
        open = false;
        pass(Duration.ofSeconds(1));
        told.clear();
        store.storing = new CompletableFuture<>();
        var shelved = keeper.operate(id -> true, OperatorState.SHELVED, "anna", "known").toCompletableFuture();
        var acknowledged = keeper.operate(id -> true, OperatorState.ACK, "bert", "").toCompletableFuture();
        // what happens meanwhile waits, and does not undo it
        open = true;
        pass(Duration.ofMinutes(1));
        assertThat(told).containsExactly("cleared LISTENER_CLOSED");
        assertThat(keeper.now()).noneMatch(Alarm::shelved);
        assertThat(shelved).isNotDone();
        assertThat(acknowledged).isNotDone();
        CompletableFuture<Void> first = store.storing;
        store.storing = CompletableFuture.completedFuture(null);
        first.complete(null);
        assertThat(shelved.join()).allMatch(Alarm::shelved);
        assertThat(acknowledged.join()).allMatch(Alarm::shelved);
        assertThat(store.stored.values()).allMatch(Alarm::shelved).allMatch(each ->
            each.handling() == OperatorState.ACK);
        pass(Duration.ofMinutes(1));
        assertThat(List.copyOf(store.stored.values())).isEqualTo(keeper.now()).allMatch(Alarm::cleared);
    }

    /** What cannot be stored is refused and changes nothing, also if the store has taken it after all. */
    @Test
    void whatCannotBeStoredIsRefused() {
        begin();
        open = false;
        pass(Duration.ofSeconds(1));
        open = true;
        pass(Duration.ofMinutes(1));
        List<Alarm> before = keeper.now();
        store.broken = true;
        told.clear();
        assertThatThrownBy(() -> keeper.operate(id -> true, OperatorState.SHELVED, "anna", "").toCompletableFuture()
            .join()).hasMessageContaining("nothing was changed, as it could not be stored");
        assertThatThrownBy(() -> keeper.purge(each -> true).toCompletableFuture().join())
            .hasMessageContaining("nothing was changed");
        assertThat(keeper.now()).isEqualTo(before);
        assertThat(told).isEmpty();
        store.broken = false;
        store.stored.clear();
        pass(Duration.ofMinutes(2));
        assertThat(List.copyOf(store.stored.values())).isEqualTo(before);
    }
}
