package org.daqfabric.api.state;

/**
 * One result of a diagnosis.
 *
 * @param subject what was examined, such as {@code switch p1s1}
 * @param what the finding
 * @param advice what to do; empty if there is nothing to do
 */
public record Advice(Severity severity, String subject, String what, String advice) {
    public enum Severity {
        /** Something does not work. */
        ERROR,
        /** It works, but not as it should, or not for long. */
        WARNING,
        /** Intended, but easily forgotten. */
        NOTE,
        OK
    }
}
