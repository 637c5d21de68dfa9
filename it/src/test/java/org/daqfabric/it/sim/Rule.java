package org.daqfabric.it.sim;

import java.util.Arrays;

/** A rule of a switch. Rules with the same table, priority and match are equal: one replaces the other. */
final class Rule {
    private final byte table;
    private final short priority;
    private final byte[] match;
    final long cookie;
    final short flags;
    final short idle;
    final short hard;
    final Instructions instructions;
    private long packets;

    /**
     * The instructions of a rule, shared by all rules with the same ones.
     *
     * @param bytes as they were sent
     * @param groups ids of the groups they refer to
     */
    record Instructions(byte[] bytes, int[] groups, int[] ports) {
        boolean leadsTo(final int group) {
            return Arrays.stream(groups).anyMatch(each -> each == group);
        }

        boolean leavesBy(final int port) {
            return Arrays.stream(ports).anyMatch(each -> each == port);
        }
    }

    Rule(final FlowMod message, final long cookie, final Instructions instructions) {
        this(message.table(), message.priority(), message.match(), cookie, message.flags(), message.idle(),
            message.hard(), instructions);
    }

    private Rule(final int table, final int priority, final byte[] match, final long cookie, final int flags,
            final int idle, final int hard, final Instructions instructions) {
        this.table = (byte) table;
        this.priority = (short) priority;
        this.match = match;
        this.cookie = cookie;
        this.flags = (short) flags;
        this.idle = (short) idle;
        this.hard = (short) hard;
        this.instructions = instructions;
    }

    /** A rule to look up an equal one with. */
    static Rule key(final FlowMod message) {
        return key(message.table(), message.priority(), message.match());
    }

    /** A rule to look up an equal one with. */
    static Rule key(final int table, final int priority, final byte[] match) {
        return new Rule(table, priority, match, 0, 0, 0, 0, null);
    }

    /** The same rule with other instructions; it goes on counting. */
    Rule with(final Instructions other) {
        final var changed = new Rule(table(), priority(), match, cookie, flags, idle, hard, other);
        changed.packets = packets;
        return changed;
    }

    /** Counts a packet that matches. */
    void count() {
        packets++;
    }

    long packets() {
        return packets;
    }

    int table() {
        return table & 0xff;
    }

    int priority() {
        return priority & 0xffff;
    }

    byte[] match() {
        return match;
    }

    @Override
    public boolean equals(final Object other) {
        return other instanceof Rule rule && table == rule.table && priority == rule.priority
            && Arrays.equals(match, rule.match);
    }

    @Override
    public int hashCode() {
        return (Arrays.hashCode(match) * 31 + priority) * 31 + table;
    }
}
