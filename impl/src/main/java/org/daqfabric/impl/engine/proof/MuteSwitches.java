package org.daqfabric.impl.engine.proof;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import org.daqfabric.impl.engine.topology.LinkDirection;

/**
 * Finds switches that are not connected and by which no packets pass, though their links may be up. Such a switch can
 * send nothing itself, so that its links cannot be told apart: it is mute if what goes into it is lost by each of them.
 * Not thread-safe.
 */
final class MuteSwitches {
    /** By how many links at least packets are lost: one alone may be at fault itself. */
    private static final int FEWEST_LINKS = 2;

    /** Directions to switches that are not connected, behind which all packets of an examination were lost. */
    private final Set<LinkDirection> lost = new TreeSet<>();

    void lostBehind(LinkDirection direction) {
        lost.add(direction);
    }

    void passed(LinkDirection direction) {
        lost.remove(direction);
    }

    void retain(Collection<LinkDirection> directions) {
        lost.retainAll(directions);
    }

    /**
     * Their names.
     *
     * @param connected whether a switch is connected, by its name
     * @param into the directions to a switch that can be examined
     */
    SortedSet<String> find(Predicate<String> connected, Function<String, List<LinkDirection>> into) {
        lost.removeIf(each -> connected.test(each.in().switchName()));
        SortedSet<String> found = new TreeSet<>();
        lost.stream().map(each -> each.in().switchName()).distinct().forEach(name -> {
            List<LinkDirection> all = into.apply(name);
            if (all.size() >= FEWEST_LINKS && lost.containsAll(all)) {
                found.add(name);
            }
        });
        return Collections.unmodifiableSortedSet(found);
    }
}
