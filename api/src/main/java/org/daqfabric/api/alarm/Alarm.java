package org.daqfabric.api.alarm;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * An alarm: raised, or cleared and not purged yet.
 *
 * @param severity the present one; of a cleared alarm the last one
 * @param created when it was first raised
 * @param raised when it was last raised
 * @param changed when it was last raised, changed or cleared
 * @param changes how it was raised, changed and cleared, newest first
 * @param actions what operators did, newest first
 */
public record Alarm(AlarmId id, AlarmSeverity severity, String text, boolean cleared, Instant created, Instant raised,
        Instant changed, List<StatusChange> changes, List<OperatorAction> actions) {
    public Alarm {
        changes = List.copyOf(changes);
        actions = List.copyOf(actions);
    }

    /**
     * It was raised or changed, or it was cleared.
     *
     * @param severity empty if it was cleared
     */
    public record StatusChange(Instant time, Optional<AlarmSeverity> severity, String text) {
    }

    /**
     * An operator set its state.
     *
     * @param operator empty if that is not known, and for what the controller did itself
     * @param text why; may be empty
     */
    public record OperatorAction(Instant time, String operator, OperatorState state, String text) {
    }

    /** Whether somebody looks after it. */
    public OperatorState handling() {
        return actions.stream().map(OperatorAction::state)
            .filter(state -> state != OperatorState.SHELVED && state != OperatorState.UN_SHELVED).findFirst()
            .orElse(OperatorState.NONE);
    }

    public boolean shelved() {
        return actions.stream().map(OperatorAction::state)
            .filter(state -> state == OperatorState.SHELVED || state == OperatorState.UN_SHELVED).findFirst()
            .orElse(OperatorState.UN_SHELVED) == OperatorState.SHELVED;
    }

    /** Whether the condition lasts. */
    public boolean isRaised() {
        return !cleared;
    }
}
