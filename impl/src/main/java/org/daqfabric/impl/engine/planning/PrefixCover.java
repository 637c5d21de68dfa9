package org.daqfabric.impl.engine.planning;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.daqfabric.api.spec.Address;

/** The fewest prefixes that hold some addresses and no other. */
final class PrefixCover {
    private PrefixCover() {
    }

    private record Prefix(Address first, int length) {
        boolean isSibling(Prefix other) {
            return length == other.length && first.sharedBits(other.first) == length - 1;
        }

        @Override
        public String toString() {
            return first + "/" + length;
        }
    }

    static List<String> of(Collection<Address> addresses) {
        List<Prefix> prefixes = new ArrayList<>();
        for (Address address : new TreeSet<>(addresses)) {
            Prefix last = new Prefix(address, address.bits());
            // in ascending order a prefix can only be the upper half of a pair whose lower half is the one before it
            while (!prefixes.isEmpty() && last.length > 0 && prefixes.getLast().isSibling(last)) {
                last = new Prefix(prefixes.removeLast().first, last.length - 1);
            }
            prefixes.add(last);
        }
        return prefixes.stream().map(Prefix::toString).toList();
    }
}
