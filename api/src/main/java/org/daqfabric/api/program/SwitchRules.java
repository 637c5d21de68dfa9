package org.daqfabric.api.program;

import java.util.List;

/**
 * The rules and groups of a switch: what it must hold, and what it holds.
 *
 * @param entries rules by priority, highest first, and match; after them groups by id
 * @param unread why the switch could not be read; empty if it was
 * @param opaque number of rules of others that cannot be shown
 */
public record SwitchRules(String switchName, List<Entry> entries, String unread, int opaque) {
    public SwitchRules {
        entries = List.copyOf(entries);
    }

    public enum State {
        /** As it must be. */
        INSTALLED,
        /** The switch must hold it and does not. */
        MISSING,
        /** The switch holds it and must not. */
        EXCESS,
        /** The switch holds it with other actions or buckets. */
        DIFFERENT,
        /** Another controller's or program's; it is left alone. */
        FOREIGN,
        /** The switch must hold it and could not be read. */
        UNKNOWN
    }

    /** A rule or group, in the words of ovs-ofctl. */
    public sealed interface Entry {
        State state();

        /** What identifies it in its switch. */
        String name();

        /** The actions or buckets that it must have; empty if it must not be there. */
        String desired();

        /** The actions or buckets that it has; empty if it is not there or could not be read. */
        String installed();
    }

    /**
     * A rule.
     *
     * @param cookie that of the desired rule, or of the installed one where none is desired; 0 for those of others
     */
    public record RuleEntry(State state, int priority, String name, long cookie, String desired, String installed)
        implements Entry {
    }

    /** A group, whose name is its id in decimal. */
    public record GroupEntry(State state, String name, String desired, String installed) implements Entry {
    }
}
