package org.daqfabric.api.program;

import java.util.List;
import org.daqfabric.api.spec.Ipv4;

/**
 * One rule of a switch, in table 0.
 *
 * @param priority 0..65535, the highest that matches wins
 * @param actions applied in order; none drops the packet
 */
public record Rule(int priority, Match match, List<Action> actions) {
    /** The upper 16 bits of the cookie of every rule that is ours. */
    public static final int COOKIE_MARK = 0xdaf0;

    public Rule {
        actions = List.copyOf(actions);
    }

    /**
     * What OpenFlow knows the rule by: no switch holds two rules with the same key. OpenFlow does not know that the longest
     * prefix is meant, so a rule to a prefix has the priority of those to addresses less the number of its free bits.
     */
    public record Key(int priority, Match match) implements Comparable<Key> {
        /** The key of the rule to a prefix, where those to addresses have some priority. */
        public static Key to(int priority, Ipv4 address, int prefixLength) {
            return new Key(priority - 32 + prefixLength, Match.to(address, prefixLength));
        }

        /** The key of the rule to a shorter prefix that this one lies in. */
        public Key shortened(int prefixLength) {
            return new Key(priority - match.prefixLength() + prefixLength, new Match(match.inPort(), match.etherType(),
                match.ethernetDestination(), match.destination(), prefixLength));
        }

        @Override
        public int compareTo(Key other) {
            int order = Integer.compare(priority, other.priority);
            return order != 0 ? order : match.compareTo(other.match);
        }
    }

    public Key key() {
        return new Key(priority, match);
    }

    /** {@link #COOKIE_MARK} and 48 bits of a hash of the content, the same in every process. */
    public long cookie() {
        return Cookies.of(this);
    }

    /** Whether a rule with this cookie was installed by this application. */
    public static boolean ours(long cookie) {
        return cookie >>> 48 == COOKIE_MARK;
    }
}
