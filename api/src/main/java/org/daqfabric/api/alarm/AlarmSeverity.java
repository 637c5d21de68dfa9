package org.daqfabric.api.alarm;

/** How much an alarm matters, least first. */
public enum AlarmSeverity {
    /** It works, but may not for long, or not as somebody may think. */
    WARNING,
    /** Something does not work as it should, and nothing is lost by it yet. */
    MINOR,
    /** Something does not work: protection or bandwidth is lost. */
    MAJOR,
    /** Data are lost, or failures are not repaired. */
    CRITICAL
}
