package org.daqfabric.impl.platform;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * The other members of the cluster that this one cannot reach. One of them that stands by is missed by nobody until it
 * is needed: with one of three lost all goes on, and with two nothing is repaired.
 *
 * <p>A member that Pekko has given up is none of its members any more, so what is expected is what is configured. That
 * it is lost, or back, counts when it has been so for {@link #PATIENCE}: a pause of a member, or of the network, is no
 * loss, and one that comes and goes stays lost.
 */
public final class LostMembers {
    static final Duration PATIENCE = Duration.ofSeconds(10);

    private final List<String> configured;
    private final LongSupplier nanos;
    /** What is said of each member, by address. */
    @GuardedBy("this")
    private final Set<String> lost = new HashSet<>();
    /** Since when members are seen otherwise than is said. */
    @GuardedBy("this")
    private final Map<String, Long> otherwise = new HashMap<>();

    /**
     * Nobody is lost until the first views.
     *
     * @param configured addresses of all members, in the order of their numbers
     */
    public LostMembers(List<String> configured) {
        this(configured, System::nanoTime);
    }

    LostMembers(List<String> configured, LongSupplier nanos) {
        this.configured = List.copyOf(configured);
        this.nanos = nanos;
    }

    /** This member sees the others so now. */
    synchronized void saw(MembershipView view) {
        long now = nanos.getAsLong();
        for (String each : configured) {
            if (view.reaches(each) == lost.contains(each)) {
                if (now - otherwise.computeIfAbsent(each, member -> now) >= PATIENCE.toNanos()) {
                    otherwise.remove(each);
                    if (!lost.remove(each)) {
                        lost.add(each);
                    }
                }
            } else {
                otherwise.remove(each);
            }
        }
    }

    /** Where the lost members should be, as {@code HOST:PORT}, by name. */
    public synchronized SortedMap<String, String> now() {
        SortedMap<String, String> now = new TreeMap<>();
        lost.forEach(each -> now.put("member-" + (configured.indexOf(each) + 1), each.replaceFirst(".*@", "")));
        return Collections.unmodifiableSortedMap(now);
    }
}
