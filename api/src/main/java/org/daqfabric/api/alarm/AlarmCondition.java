package org.daqfabric.api.alarm;

/**
 * Something that is wrong at a moment.
 *
 * @param text what is wrong; without numbers that change while it lasts, as every change of it is told to operators
 */
public record AlarmCondition(AlarmId id, AlarmSeverity severity, String text) {
    /** With the usual severity of its type. */
    public static AlarmCondition of(AlarmType type, AlarmResource resource, String text) {
        return new AlarmCondition(new AlarmId(resource, type), type.severity(), text);
    }
}
