package org.daqfabric.impl.engine.loss;

import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.PortId;

/**
 * Decides which links that lose packets are held back. Where many lose some at once, a node that has too much to do is
 * more likely than that many cables; then less bandwidth would make it worse.
 */
public final class LossyLinks {
    /** The most links that are held back, and the most of each switch: one of so many. */
    private static final int OF_ALL = 10;
    private static final int OF_SWITCH = 2;
    /** Packets of a million from which on a link is held back: half of a switch's bandwidth is worth more. */
    private static final int LEAST = 1000;
    /** A link that is held back is exchanged for another only if that loses so many times as much. */
    private static final int WORSE = 10;
    /** So many are held back in a small fabric, too. */
    private static final int FEW = 2;

    private LossyLinks() {
    }

    /**
     * The links that are not used, as far as all switches can be reached without them.
     *
     * @param links those that are up and may be used, but for their losses
     * @param rates of all links that lose packets, by name
     * @param before those that are held back
     * @param suffices whether the bandwidth suffices without some links
     */
    public static SortedSet<PortId> heldBack(List<Link> links, Map<PortId, Integer> rates, Set<PortId> before,
            Predicate<Set<PortId>> suffices) {
        SortedSet<PortId> held = new TreeSet<>();
        Map<String, Integer> most = new HashMap<>();
        links.forEach(link -> switches(link).forEach(name -> most.merge(name, 1, Integer::sum)));
        most.replaceAll((name, count) -> count / OF_SWITCH);
        int room = Math.max(FEW, links.size() / OF_ALL);
        List<Link> ordered = links.stream()
            .filter(link -> rates.getOrDefault(link.end(), 0) >= (before.contains(link.end()) ? 1 : LEAST))
            .sorted(Comparator.comparing((Link link) ->
                    -(long) rates.get(link.end()) * (before.contains(link.end()) ? WORSE : 1))
                .thenComparing(link -> !before.contains(link.end())).thenComparing(Link::end)).toList();
        for (Link link : ordered) {
            held.add(link.end());
            if (held.size() <= room && switches(link).allMatch(name -> most.get(name) > 0) && suffices.test(held)) {
                switches(link).forEach(name -> most.merge(name, -1, Integer::sum));
            } else {
                held.remove(link.end());
            }
        }
        return Collections.unmodifiableSortedSet(held);
    }

    private static Stream<String> switches(Link link) {
        return Stream.of(link.end().switchName(), link.peer().switchName());
    }
}
