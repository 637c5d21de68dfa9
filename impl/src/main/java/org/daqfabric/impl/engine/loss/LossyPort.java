package org.daqfabric.impl.engine.loss;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToLongFunction;

/**
 * Finds the port behind which a switch loses packets. All ports together show exactly how many are missing; rules show
 * where they were sent. What rules have counted is late, all of it by the same time, and ports to other switches send
 * frames of BFD that no rule counts: the port is the one that explains best what is left.
 */
final class LossyPort {
    /** Least number of readings at the beginning, and at the end, that are taken together, and part of all. */
    private static final int GROUP = 3;
    private static final int PART = 3;
    /** Seconds by which rules may be later at one time than at another, and frames a second that no rule counts. */
    private static final double LATE = 0.2;
    private static final double UNRULED = 20;
    /** What a count is uncertain by: some packets, and a part of a second's, as traffic comes in bursts. */
    private static final double PACKETS = 1;
    private static final double BURST = 0.02;
    /** How much better a port must explain the counters than any other, and than none. */
    private static final double BETTER = 12;
    private static final double TIMES = 4;

    private final List<SwitchCounts> readings;
    private final Set<Integer> links;
    private final int group;
    private final double seconds;
    /** What counts are uncertain by, as part of what passes in a second. */
    private final double burst;
    private final double missing;
    private final Map<Integer, Double> excess = new HashMap<>();
    private final Map<Integer, Double> rates = new HashMap<>();
    private final Sums common;

    private LossyPort(List<SwitchCounts> readings, Set<Integer> links) {
        this.readings = readings;
        this.links = links;
        group = Math.max(GROUP, readings.size() / PART);
        seconds = readings.size() - group;
        burst = BURST / Math.sqrt(group);
        missing = growth(SwitchCounts::missing);
        for (int port : readings.get(0).excess().keySet()) {
            excess.put(port, growth(reading -> reading.excess().get(port)));
            rates.put(port, growth(reading -> reading.transmitted().get(port)) / seconds);
        }
        common = sums();
    }

    /**
     * The port; empty if none can be told from the others.
     *
     * @param readings one a second
     * @param links the ports to other switches
     */
    static OptionalInt of(List<SwitchCounts> readings, Set<Integer> links) {
        return readings.size() < 2 * GROUP ? OptionalInt.empty() : new LossyPort(readings, links).best();
    }

    private double growth(ToLongFunction<SwitchCounts> value) {
        return readings.subList(readings.size() - group, readings.size()).stream().mapToLong(value).average().orElse(0)
            - readings.subList(0, group).stream().mapToLong(value).average().orElse(0);
    }

    private OptionalInt best() {
        int best = 0;
        double least = Double.MAX_VALUE;
        double second = left(0);
        Set<Integer> candidates = new TreeSet<>(links);
        candidates.retainAll(excess.keySet());
        for (int port : excess.keySet()) {
            double left = left(port);
            if (left < least) {
                second = Math.min(second, least);
                least = left;
                best = port;
            } else {
                second = Math.min(second, left);
            }
        }
        return candidates.contains(best) && second - least > BETTER && second > TIMES * least ? OptionalInt.of(best)
            : OptionalInt.empty();
    }

    /** What is left unexplained if all missing packets were sent to a port; to none if that is 0. */
    private double left(int lossy) {
        // least squares with two unknowns, the lateness and the frames of BFD, which are both near zero
        Sums sums = common;
        if (excess.containsKey(lossy)) {
            double less = -missing;
            double weight = weight(lossy);
            double value = excess.get(lossy);
            sums = new Sums(sums.late + weight * rates.get(lossy) * less, sums.unruled + weight * link(lossy) * less,
                sums.all + weight * less * (2 * value + less), sums.lateLate, sums.unruledUnruled, sums.both);
        }
        return sums.left();
    }

    private double weight(int port) {
        double uncertain = PACKETS + burst * rates.get(port);
        return 1 / uncertain / uncertain;
    }

    private double link(int port) {
        return links.contains(port) ? 1 : 0;
    }

    /** Over all ports: so that trying each port as the lossy one takes no longer for it. */
    private Sums sums() {
        double late = 0;
        double unruled = 0;
        double all = 0;
        double lateLate = 1 / (LATE * LATE);
        double unruledUnruled = 1 / (UNRULED * seconds * UNRULED * seconds);
        double both = 0;
        for (Map.Entry<Integer, Double> each : excess.entrySet()) {
            double rate = rates.get(each.getKey());
            double weight = weight(each.getKey());
            double link = link(each.getKey());
            double value = each.getValue();
            late += weight * rate * value;
            unruled += weight * link * value;
            all += weight * value * value;
            lateLate += weight * rate * rate;
            unruledUnruled += weight * link;
            both += weight * rate * link;
        }
        return new Sums(late, unruled, all, lateLate, unruledUnruled, both);
    }

    /** Of what counters show, of its squares, and of those of the two unknowns, weighted. */
    private record Sums(double late, double unruled, double all, double lateLate, double unruledUnruled, double both) {
        private double left() {
            double determinant = lateLate * unruledUnruled - both * both;
            double lateness = (late * unruledUnruled - unruled * both) / determinant;
            double frames = (unruled * lateLate - late * both) / determinant;
            return Math.max(0, all - lateness * late - frames * unruled);
        }
    }
}
