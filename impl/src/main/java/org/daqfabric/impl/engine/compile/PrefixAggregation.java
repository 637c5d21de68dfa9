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
import org.daqfabric.impl.engine.topology.Endpoint;

/**
 * The fewest prefixes, of which the longest counts, that send every address the way it must go (Draves, King, Venkatachary
 * and Zill, Constructing Optimal IP Routing Tables, INFOCOM 1999). Here an address that nobody has may go any way, but
 * no prefix holds addresses of two edge switches, or one that must not be sent anywhere, and none is shorter than what
 * its addresses have in common.
 *
 * <p>So whichever of two sets of prefixes a switch holds, or some of both, packets go to the edge switch they are meant
 * for; and what is sent to an address that nobody has gets no further than a leaf.
 */
final class PrefixAggregation {
    private final List<Endpoint> hosts;
    /** Of each host the number of its choice, -1 if it must not be sent to. */
    private final int[] choice;
    /** Behind each host the first that is of another edge switch, or must not be sent to. */
    private final int[] end;
    private final List<Prefix> found = new ArrayList<>();

    /**
     * A prefix.
     *
     * @param host a host in it that is sent the way all are that are in no longer prefix
     */
    record Prefix(Endpoint host, int length) {
    }

    /** What some neighbouring hosts have in common: of the choices that cost fewest prefixes, each will do. */
    private record Node(int first, int last, BitSet choices, Node lower, Node upper) {
    }

    private PrefixAggregation(Collection<Endpoint> all, Function<Endpoint, Optional<GroupKey.ToEdge>> way) {
        hosts = all.stream().sorted(Comparator.comparing(Endpoint::address)).toList();
        List<Optional<GroupKey.ToEdge>> ways = hosts.stream().map(way).toList();
        Map<GroupKey, Integer> numbers = new HashMap<>();
        // by a number that stays the same whatever becomes of the others, so that few choices change at once
        ways.stream().flatMap(Optional::stream).distinct().sorted(Comparator.comparingInt(key -> key.id(0)))
            .forEach(key -> numbers.put(key, numbers.size()));
        choice = ways.stream().mapToInt(key -> key.map(numbers::get).orElse(-1)).toArray();
        end = new int[choice.length];
        for (int i = choice.length - 1; i >= 0; i--) {
            boolean alike = i + 1 < choice.length && choice[i] >= 0 && choice[i + 1] >= 0
                && hosts.get(i).edge().equals(hosts.get(i + 1).edge());
            end[i] = alike ? end[i + 1] : i + 1;
        }
    }

    /**
     * Chooses the prefixes.
     *
     * @param all every host of the fabric
     * @param way which way a host's packets go; empty if they must not go anywhere
     */
    static List<Prefix> of(Collection<Endpoint> all, Function<Endpoint, Optional<GroupKey.ToEdge>> way) {
        PrefixAggregation prefixes = new PrefixAggregation(all, way);
        if (!all.isEmpty()) {
            prefixes.search(0, prefixes.choice.length - 1);
        }
        return prefixes.found;
    }

    private void search(int first, int last) {
        // a match of no bits at all would be read back as none
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
            found.add(new Prefix(hosts.get(example(node, chosen)), length(node.first, node.last)));
        }
        if (node.lower != null) {
            choose(node.lower, chosen);
            choose(node.upper, chosen);
        }
    }

    private int example(Node node, int chosen) {
        int host = node.first;
        while (choice[host] != chosen) {
            host++;
        }
        return host;
    }

    /** The bits that the addresses of some neighbouring hosts begin with. */
    private int length(int first, int last) {
        return Integer.numberOfLeadingZeros(bits(first) ^ bits(last));
    }

    /** The first of some neighbouring hosts in the upper half of what they have in common. */
    private int upper(int first, int last) {
        int half = Integer.MIN_VALUE >>> length(first, last);
        int below = first;
        int upper = last;
        while (upper - below > 1) {
            int middle = (below + upper) / 2;
            if ((bits(middle) & half) == 0) {
                below = middle;
            } else {
                upper = middle;
            }
        }
        return upper;
    }

    private int bits(int host) {
        return hosts.get(host).address().bits();
    }
}
