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
 * When links that came back are used again: at once after a first failure, then after waits that double with every
 * failure that follows within minutes, so that a flapping link costs its traffic only a few moves; or when somebody asks.
 *
 * @param links what is remembered of links that failed, by name
 */
record LinkDampening(SortedMap<PortId, Past> links) {
    static final LinkDampening NONE = new LinkDampening(Collections.emptySortedMap());

    static final Duration FIRST_WAIT = Duration.ofSeconds(1);
    static final Duration LONGEST_WAIT = Duration.ofSeconds(60);
    /** A link that has been up for so long is as good as any other. */
    static final Duration FORGOTTEN = Duration.ofMinutes(5);

    /**
     * A link's past.
     *
     * @param up whether it is up now
     * @param failures how often it failed without a quiet time between
     * @param since when it went down or came back
     */
    record Past(boolean up, int failures, Instant since) {
    }

    /**
     * The past with what is down now.
     *
     * @param running whether a run goes on
     */
    LinkDampening seen(Set<PortId> down, Policy.Return policy, boolean running, Instant now) {
        SortedMap<PortId, Past> next = new TreeMap<>();
        links.forEach((link, past) -> {
            boolean waits = past.up() && until(past, policy, running).equals(Instant.MAX);
            if (down.contains(link) || waits || now.isBefore(past.since().plus(FORGOTTEN))) {
                next.put(link, down.contains(link) == past.up() ? turned(past, now) : past);
            }
        });
        down.forEach(link -> next.computeIfAbsent(link, name -> new Past(false, 1, now)));
        return next.equals(links) ? this : new LinkDampening(Collections.unmodifiableSortedMap(next));
    }

    private static Past turned(Past past, Instant now) {
        return past.up() ? new Past(false, past.failures() + 1, now) : new Past(true, past.failures(), now);
    }

    /**
     * Links that are up and not to be used yet.
     *
     * @param running whether a run goes on
     */
    Set<PortId> heldBack(Policy.Return policy, boolean running, Instant now) {
        return links.entrySet().stream()
            .filter(entry -> entry.getValue().up() && until(entry.getValue(), policy, running).isAfter(now))
            .map(Map.Entry::getKey).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Links that are up again. */
    Set<PortId> up() {
        return links.entrySet().stream().filter(entry -> entry.getValue().up()).map(Map.Entry::getKey)
            .collect(Collectors.toCollection(TreeSet::new));
    }

    /** When the next of those held back may be used; empty if none will without being asked for. */
    Optional<Instant> next(Policy.Return policy, boolean running, Instant now) {
        return links.values().stream().filter(Past::up).map(past -> until(past, policy, running))
            .filter(until -> until.isAfter(now) && !until.equals(Instant.MAX)).min(Instant::compareTo);
    }

    /** Until when the same links are held back and remembered if nothing happens. */
    Instant stands(Policy.Return policy, boolean running, Instant now) {
        return links.values().stream().flatMap(past -> Stream.of(until(past, policy, running),
            past.since().plus(FORGOTTEN))).filter(until -> until.isAfter(now)).min(Instant::compareTo).orElse(Instant.MAX);
    }

    /** Forgets what is up: all of it may be used. */
    LinkDampening released() {
        SortedMap<PortId, Past> down = new TreeMap<>(links);
        down.values().removeIf(Past::up);
        return new LinkDampening(Collections.unmodifiableSortedMap(down));
    }

    /** The past without links that are no more. */
    LinkDampening retaining(Collection<PortId> existing) {
        SortedMap<PortId, Past> left = new TreeMap<>(links);
        left.keySet().retainAll(existing);
        return left.size() == links.size() ? this : new LinkDampening(Collections.unmodifiableSortedMap(left));
    }

    private static Instant until(Past past, Policy.Return policy, boolean running) {
        return policy == Policy.Return.MANUAL || running && policy == Policy.Return.BETWEEN_RUNS ? Instant.MAX
            : past.since().plus(wait(past.failures()));
    }

    private static Duration wait(int failures) {
        if (failures < 2) {
            return Duration.ZERO;
        }
        Duration wait = FIRST_WAIT.multipliedBy(1L << Math.min(failures - 2, 10));
        return wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT;
    }
}
