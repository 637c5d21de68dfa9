package org.daqfabric.api.state;

/**
 * One difference between a switch and what it must hold.
 *
 * @param subject which rule, group, port, daqring or bridge; empty for the switch as a whole
 * @param detail what was expected and what was found, or why nothing could be read
 */
public record Finding(String switchName, Kind kind, What what, String subject, String detail) {
    public enum Kind { RULE, GROUP, PORT, DAQRING, BFD, BRIDGE }

    public enum What {
        MISSING,
        /** Present, and not expected. */
        EXCESS,
        DIFFERENT,
        /** Not known, because reading failed; never taken for missing. */
        UNREADABLE
    }

    @Override
    public String toString() {
        return switchName + ": " + kind.name().toLowerCase(java.util.Locale.ROOT) + " " + subject
            + (subject.isEmpty() ? "" : " ") + what.name().toLowerCase(java.util.Locale.ROOT)
            + (detail.isEmpty() ? "" : ": " + detail);
    }
}
