package org.daqfabric.impl.engine.compile;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.daqfabric.api.spec.Address;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.eclipse.jdt.annotation.Nullable;

/**
 * The fewest prefixes, by longest match, that send every address to its group (Draves, King, Venkatachary and Zill,
 * Constructing Optimal IP Routing Tables, INFOCOM 1999). An address that no host has may go to any group. A prefix
 * covers addresses of one edge switch only, none that must not be sent to, and is as long as the bits its addresses
 * share.
 *
 * <p>So packets reach the right edge switch with either of two sets of prefixes in a switch, or parts of both, and a
 * leaf drops packets to an address that no host has.
 */
final class PrefixAggregation {
    private final List<Endpoint> hosts;
    /** By host, the number of its group key; -1 if it must not be sent to. */
    private final int[] choice;
    /** By host, the first host after it that has another edge switch or must not be sent to. */
    private final int[] end;
    private final List<Prefix> found = new ArrayList<>();

    /**
     * A prefix.
     *
     * @param host one of the hosts for which it is the longest prefix; all of them have the same group
     */
    record Prefix(Endpoint host, int length) {
    }

    /**
     * A range of hosts, and the choices any of which covers it with the fewest prefixes; of a single host without
     * halves.
     */
    private record Node(int first, int last, BitSet choices, @Nullable Node lower, @Nullable Node upper) {
    }

    private PrefixAggregation(Collection<Endpoint> all, Function<Endpoint, Optional<GroupKey.ToEdge>> key) {
        hosts = all.stream().sorted(Comparator.comparing(Endpoint::address)).toList();
        List<Optional<GroupKey.ToEdge>> keys = hosts.stream().map(key).toList();
        Map<GroupKey, Integer> numbers = new HashMap<>();
        // ordered by a number that does not depend on the other keys, so that few choices change at once
        keys.stream().flatMap(Optional::stream).distinct().sorted(Comparator.comparingInt(each -> each.id(0)))
            .forEach(each -> numbers.put(each, numbers.size()));
        choice = keys.stream().mapToInt(each -> each.map(numbers::get).orElse(-1)).toArray();
        end = new int[choice.length];
        for (int i = choice.length - 1; i >= 0; i--) {
            boolean continues = i + 1 < choice.length && choice[i] >= 0 && choice[i + 1] >= 0
                && hosts.get(i).edge().equals(hosts.get(i + 1).edge());
            end[i] = continues ? end[i + 1] : i + 1;
        }
    }

    /**
     * Chooses the prefixes.
     *
     * @param all every host of the fabric
     * @param key the group for packets to a host; empty if it must not be sent to
     */
    static List<Prefix> of(Collection<Endpoint> all, Function<Endpoint, Optional<GroupKey.ToEdge>> key) {
        PrefixAggregation prefixes = new PrefixAggregation(all, key);
        if (!all.isEmpty()) {
            prefixes.search(0, prefixes.choice.length - 1);
        }
        return prefixes.found;
    }

    private void search(int first, int last) {
        // a switch reports a match of no bits as no match
        if (choice[first] >= 0 && end[first] > last && length(first, last) > 0) {
            choose(node(first, last), -1);
        } else if (first < last) {
            int upper = upper(first, last);
            search(first, upper - 1);
            search(upper, last);
        }
    }

    private Node node(int first, int last) {
        BitSet choices = new BitSet();
        if (first == last) {
            choices.set(choice[first]);
            return new Node(first, last, choices, null, null);
        }
        int middle = upper(first, last);
        Node lower = node(first, middle - 1);
        Node upper = node(middle, last);
        choices.or(lower.choices);
        choices.and(upper.choices);
        if (choices.isEmpty()) {
            choices.or(lower.choices);
            choices.or(upper.choices);
        }
        return new Node(first, last, choices, lower, upper);
    }

    private void choose(Node node, int above) {
        int chosen = above;
        if (above < 0 || !node.choices.get(above)) {
            chosen = node.choices.nextSetBit(0);
            found.add(new Prefix(hosts.get(hostWith(node, chosen)), length(node.first, node.last)));
        }
        if (node.lower != null) {
            choose(node.lower, chosen);
            choose(node.upper, chosen);
        }
    }

    private int hostWith(Node node, int chosen) {
        int host = node.first;
        while (choice[host] != chosen) {
            host++;
        }
        return host;
    }

    /** How many leading bits the addresses of a range of hosts share; below 0 if there are IPv4 and IPv6. */
    private int length(int first, int last) {
        return address(first).sharedBits(address(last));
    }

    /** The first host of a range whose next bit after the shared ones is 1, or the first with IPv6 after IPv4. */
    private int upper(int first, int last) {
        int bit = length(first, last);
        int below = first;
        int upper = last;
        while (upper - below > 1) {
            int middle = (below + upper) / 2;
            if (bit < 0 ? address(middle).isIpv4() : !address(middle).isSet(bit)) {
                below = middle;
            } else {
                upper = middle;
            }
        }
        return upper;
    }

    private Address address(int host) {
        return hosts.get(host).address();
    }
}
