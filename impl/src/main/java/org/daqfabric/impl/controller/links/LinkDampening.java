package org.daqfabric.impl.controller.links;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.daqfabric.api.spec.Policy;
import org.daqfabric.api.spec.PortId;

/**
 * Determines when links that have returned are used again: at once after a first failure, then after waits that double
 * with every further failure within minutes, so that a flapping link causes only a few moves; or on request.
 *
 * @param links the history of links that failed, by name
 */
record LinkDampening(SortedMap<PortId, History> links) {
    static final LinkDampening NONE = new LinkDampening(Collections.emptySortedMap());

    static final Duration FIRST_WAIT = Duration.ofSeconds(1);
    static final Duration LONGEST_WAIT = Duration.ofSeconds(60);
    /** After a link has been up for this time, its failures are forgotten. */
    static final Duration FORGOTTEN = Duration.ofMinutes(5);

    /**
     * The history of a link.
     *
     * @param up whether it is up now
     * @param failures how often it failed without {@link #FORGOTTEN} in between
     * @param since when it last went down or came up
     */
    record History(boolean up, int failures, Instant since) {
    }

    /**
     * The history after an update with the links that are down now.
     *
     * @param inRun whether a run is in progress
     */
    LinkDampening with(Set<PortId> down, Policy.Return policy, boolean inRun, Instant now) {
        SortedMap<PortId, History> next = new TreeMap<>();
        links.forEach((link, history) -> {
            boolean waits = history.up() && until(history, policy, inRun).equals(Instant.MAX);
            if (down.contains(link) || waits || now.isBefore(history.since().plus(FORGOTTEN))) {
                next.put(link, down.contains(link) == history.up() ? flipped(history, now) : history);
            }
        });
        down.forEach(link -> next.computeIfAbsent(link, name -> new History(false, 1, now)));
        return next.equals(links) ? this : new LinkDampening(Collections.unmodifiableSortedMap(next));
    }

    private static History flipped(History history, Instant now) {
        return history.up() ? new History(false, history.failures() + 1, now)
            : new History(true, history.failures(), now);
    }

    /**
     * Links that are up and must not be used yet.
     *
     * @param inRun whether a run is in progress
     */
    Set<PortId> heldBack(Policy.Return policy, boolean inRun, Instant now) {
        return links.entrySet().stream()
            .filter(entry -> entry.getValue().up() && until(entry.getValue(), policy, inRun).isAfter(now))
            .map(Map.Entry::getKey).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Links that are up again. */
    Set<PortId> up() {
        return links.entrySet().stream().filter(entry -> entry.getValue().up()).map(Map.Entry::getKey)
            .collect(Collectors.toCollection(TreeSet::new));
    }

    /** When the next link that is held back may be used; empty if that takes a request. */
    Optional<Instant> nextRelease(Policy.Return policy, boolean inRun, Instant now) {
        return links.values().stream().filter(History::up).map(history -> until(history, policy, inRun))
            .filter(until -> until.isAfter(now) && !until.equals(Instant.MAX)).min(Instant::compareTo);
    }

    /** Until when the same links are held back and remembered if no event arrives. */
    Instant validUntil(Policy.Return policy, boolean inRun, Instant now) {
        return links.values().stream().flatMap(history -> Stream.of(until(history, policy, inRun),
            history.since().plus(FORGOTTEN))).filter(until -> until.isAfter(now)).min(Instant::compareTo)
            .orElse(Instant.MAX);
    }

    /** These links are up and wait as if they had just returned from one more failure. */
    LinkDampening failedAgain(Set<PortId> names, Instant now) {
        SortedMap<PortId, History> next = new TreeMap<>(links);
        names.forEach(link -> next.put(link,
            new History(true, links.containsKey(link) ? links.get(link).failures() + 1 : 2, now)));
        return new LinkDampening(Collections.unmodifiableSortedMap(next));
    }

    /** Forgets the links that are up: all of them may be used. */
    LinkDampening released() {
        SortedMap<PortId, History> down = new TreeMap<>(links);
        down.values().removeIf(History::up);
        return new LinkDampening(Collections.unmodifiableSortedMap(down));
    }

    /** The history without links that were removed. */
    LinkDampening retaining(Collection<PortId> existing) {
        SortedMap<PortId, History> left = new TreeMap<>(links);
        left.keySet().retainAll(existing);
        return left.size() == links.size() ? this : new LinkDampening(Collections.unmodifiableSortedMap(left));
    }

    private static Instant until(History history, Policy.Return policy, boolean inRun) {
        return policy == Policy.Return.MANUAL || inRun && policy == Policy.Return.BETWEEN_RUNS ? Instant.MAX
            : history.since().plus(wait(history.failures()));
    }

    private static Duration wait(int failures) {
        if (failures < 2) {
            return Duration.ZERO;
        }
        Duration wait = FIRST_WAIT.multipliedBy(1L << Math.min(failures - 2, 10));
        return wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT;
    }
}
