package org.daqfabric.api.program;

import org.daqfabric.api.spec.Address;

/** The hash of a rule's content. Switches keep cookies across restarts of the controller, so hashCode will not do. */
final class Cookies {
    private static final long MASK = (1L << 48) - 1;

    private Cookies() {
    }

    static long of(Rule rule) {
        Match match = rule.match();
        long hash = mix(rule.priority(), match.inPort().orElse(0));
        hash = mix(hash, match.etherType());
        if (match.ethernetDestination().isPresent()) {
            hash = mix(hash, match.ethernetDestination().get().bits());
        }
        hash = match.destination().isEmpty() ? mix(hash, -1) : mix(hash, match.destination().get(), 0xffffffffL);
        if (match.isPrefix()) {
            hash = mix(hash, match.prefixLength());
        }
        if (match.source().isPresent()) {
            hash = mix(hash, match.source().get(), -1);
        }
        for (Action action : rule.actions()) {
            hash = mix(hash, code(action));
        }
        return (long) Rule.COOKIE_MARK << 48 | hash & MASK;
    }

    private static long code(Action action) {
        return switch (action) {
            case Action.Output output -> 1L << 56 | Integer.toUnsignedLong(output.port());
            case Action.OutputInPort unused -> 2L << 56;
            case Action.ToGroup group -> 3L << 56 | Integer.toUnsignedLong(group.id());
            case Action.SetDestinationMac set -> 4L << 56 | set.mac().bits();
            case Action.ToController unused -> 5L << 56;
            case Action.SetDscp set -> 7L << 56 | set.dscp();
            case Action.Other other -> 6L << 56 | Integer.toUnsignedLong(other.text().hashCode());
        };
    }

    /** An IPv4 address is one number, with the sign of its highest bit unless a mask clears that. */
    private static long mix(long hash, Address address, long mask) {
        return address.isIpv4() ? mix(hash, (int) address.low() & mask)
            : mix(mix(hash, address.high()), address.low());
    }

    /** The finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014) over a running hash. */
    private static long mix(long hash, long value) {
        long z = (hash ^ value) + 0x9e3779b97f4a7c15L;
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }
}
