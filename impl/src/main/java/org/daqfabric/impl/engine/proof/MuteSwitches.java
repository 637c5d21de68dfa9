package org.daqfabric.impl.engine.proof;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.daqfabric.impl.engine.topology.LinkDirection;

/**
 * Finds switches that are not connected and by which no packets pass, though their links may be up. Such a switch can
 * send nothing itself, so that its links cannot be told apart: it is mute if what goes into it is lost by each of them,
 * and still is a moment later: one that only stood still lets packets pass then that have waited. Not thread-safe;
 * times are monotonic, in ns.
 */
final class MuteSwitches {
    /** From how many neighbours at least packets are lost: the links to one alone may be at fault themselves. */
    private static final int FEWEST_NEIGHBOURS = 2;
    private static final long MOMENT = 500_000_000;

    /** Directions to switches that are not connected, behind which all packets of an examination were lost. */
    private final Set<LinkDirection> lost = new TreeSet<>();
    /** Since when packets are lost by all links of a switch. */
    private final Map<String, Long> since = new HashMap<>();

    void lostBehind(LinkDirection direction) {
        lost.add(direction);
    }

    void passed(LinkDirection direction) {
        lost.remove(direction);
    }

    void retain(Collection<LinkDirection> directions) {
        lost.retainAll(directions);
    }

    /** This controller has stood still: what has waited meanwhile is counted first. */
    void stood() {
        since.clear();
    }

    /**
     * Their names.
     *
     * @param connected whether a switch is connected, by its name
     * @param into the directions to a switch that can be examined
     */
    SortedSet<String> find(long now, Predicate<String> connected, Function<String, List<LinkDirection>> into) {
        lost.removeIf(each -> connected.test(each.in().switchName()));
        Set<String> losing = lost.stream().map(each -> each.in().switchName()).distinct().filter(name -> {
            List<LinkDirection> all = into.apply(name);
            return lost.containsAll(all)
                && all.stream().map(each -> each.out().switchName()).distinct().count() >= FEWEST_NEIGHBOURS;
        }).collect(Collectors.toSet());
        since.keySet().retainAll(losing);
        losing.forEach(name -> since.putIfAbsent(name, now));
        SortedSet<String> found = new TreeSet<>();
        since.forEach((name, begin) -> {
            if (now - begin >= MOMENT) {
                found.add(name);
            }
        });
        return Collections.unmodifiableSortedSet(found);
    }
}
