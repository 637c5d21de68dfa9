package org.daqfabric.api.state;

/**
 * One thing an examination looked at.
 *
 * @param subject what was looked at, such as {@code switch p1s1}
 * @param what what was found
 * @param advice what to do; empty where nothing is to be done
 */
public record Advice(Severity severity, String subject, String what, String advice) {
    public enum Severity {
        /** Something does not work. */
        ERROR,
        /** It works, but not as it should, or not for long. */
        WARNING,
        /** As somebody wanted it, but easily forgotten. */
        NOTE,
        OK
    }
}
