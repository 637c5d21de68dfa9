package org.daqfabric.impl.users;

/**
 * When a row became what it is. Of two the newer counts, but what somebody has changed counts before what a member had
 * when it began to share; and of the latter the oldest, so that accounts in use do not change when a member joins.
 *
 * @param first whether the member had it when it began to share
 * @param time milliseconds since 1970 by that member's clock, but later than that of what it replaces
 * @param member where it was made or changed
 */
record Stamp(boolean first, long time, String member) {
    /** The stamp of a change to what has a stamp already. */
    Stamp then(long now, String by) {
        return new Stamp(false, first ? now : Math.max(now, time + 1), by);
    }

    boolean countsBefore(Stamp other) {
        if (first != other.first) {
            return other.first;
        }
        if (time != other.time) {
            return first == time < other.time;
        }
        return member.compareTo(other.member) < 0;
    }
}
