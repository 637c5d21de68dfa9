package org.daqfabric.api.program;

import java.util.List;
import org.daqfabric.api.spec.Address;

/**
 * One rule of a switch, in table 0.
 *
 * @param priority 0..65535; of all rules that match, the highest applies
 * @param actions applied in order; none drops the packet
 */
public record Rule(int priority, Match match, List<Action> actions) {
    /** The upper 16 bits of the cookie of every rule of this application. */
    public static final int COOKIE_MARK = 0xdaf0;

    public Rule {
        actions = List.copyOf(actions);
    }

    /**
     * The key by which OpenFlow identifies a rule: no switch has two rules with the same key. OpenFlow has no
     * longest-prefix match, so a rule for a prefix has the priority of rules for addresses less the number of bits that
     * it leaves free.
     */
    public record Key(int priority, Match match) implements Comparable<Key> {
        /** The key of the rule for a prefix, given the priority of rules for addresses. */
        public static Key to(int priority, Address address, int prefixLength) {
            return new Key(priority - address.bits() + prefixLength, Match.to(address, prefixLength));
        }

        /** The key of the rule for a shorter prefix that contains this one. */
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
