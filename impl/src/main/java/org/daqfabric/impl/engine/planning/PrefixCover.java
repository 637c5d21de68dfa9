package org.daqfabric.impl.engine.planning;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.daqfabric.api.spec.Ipv4;

/** The fewest prefixes that hold some addresses and no other. */
final class PrefixCover {
    private PrefixCover() {
    }

    private record Prefix(int bits, int length) {
        boolean isSibling(Prefix other) {
            return length == other.length && (bits ^ other.bits) == 1 << 32 - length;
        }

        @Override
        public String toString() {
            return new Ipv4(bits) + "/" + length;
        }
    }

    static List<String> of(Collection<Ipv4> addresses) {
        List<Prefix> prefixes = new ArrayList<>();
        for (Ipv4 address : new TreeSet<>(addresses)) {
            Prefix last = new Prefix(address.bits(), 32);
            // in ascending order a prefix can only be the upper half of a pair whose lower half is the one before it
            while (!prefixes.isEmpty() && last.length > 0 && prefixes.getLast().isSibling(last)) {
                last = new Prefix(prefixes.removeLast().bits, last.length - 1);
            }
            prefixes.add(last);
        }
        return prefixes.stream().map(Prefix::toString).toList();
    }
}
