package org.daqfabric.impl.engine.loss;

import com.google.common.collect.Lists;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.daqfabric.api.state.FabricState.Loss;

/**
 * What is known of a link's losses in one direction.
 *
 * @param window the newest readings since the link came up, oldest first
 * @param totals of the ledger at the newest {@link #CONFIRMED} readings
 * @param suspected at how many readings in succession the link was found to lose packets
 * @param finding present while the link loses packets
 * @param missed rounds since the newest reading
 */
record LossHistory(List<Bounds> window, LostPackets ledger, List<Long> totals, int suspected, Optional<Finding> finding,
        int missed) {
    /** Readings that are kept: of a minute, if they are made every second. */
    static final int READINGS = 61;
    /** The newest of them, in which most losses are found. */
    static final int NEWEST = 11;
    /** Readings that must agree: cards may tell their counters up to two seconds late. */
    static final int CONFIRMED = 3;
    /** Readings of which the best one tells whether a link is clean. */
    private static final int LAST = 5;
    /** Losses of fewer packets are no sign of what the next ones will be. */
    static final long FEWEST = 5;
    /** Part of the packets that is a fault: TCP is slowed down by less. */
    static final double TOLERATED = 1e-4;
    /** Rounds after which the last reading says nothing any more. */
    static final int OUTDATED = 10;

    static final double MILLION = 1e6;
    /** A rate is another one if it is not within half an order of magnitude, and some more. */
    private static final double SAME = 6.3;
    /** By which a rate may be less than what is told of it. */
    private static final double ROUNDED = Math.sqrt(10);

    LossHistory {
        window = List.copyOf(window);
        totals = List.copyOf(totals);
    }

    /**
     * A link that loses packets.
     *
     * @param rate part of the packets, to the order of magnitude
     * @param mark the reading since which it is watched whether the link still loses any
     * @param least lower bound of the difference at that reading, by all readings before
     */
    record Finding(double rate, Bounds mark, long least) {
    }

    static LossHistory begin(Bounds first) {
        return begin(0, first, Optional.empty());
    }

    private static LossHistory begin(long lost, Bounds first, Optional<Finding> finding) {
        return new LossHistory(List.of(first), LostPackets.of(lost, first), List.of(lost), 0, finding, 0);
    }

    /** Of a link that has lost packets before its first reading; it must be proven that it loses none any more. */
    static LossHistory suspected(double rate) {
        return new LossHistory(List.of(), LostPackets.of(0, Bounds.NONE), List.of(0L), 0,
            Optional.of(new Finding(rate, Bounds.NONE, 0)), 0);
    }

    /** What was certainly lost. */
    private long lost() {
        return Collections.min(totals);
    }

    /** After a round without a reading. */
    LossHistory unread() {
        return new LossHistory(window, ledger, totals, suspected, finding, Math.min(missed + 1, OUTDATED + 1));
    }

    /** The link is not up, or a counter began again: only what was lost before stays known. */
    LossHistory interrupted() {
        return window.isEmpty() ? this : new LossHistory(List.of(), ledger, List.of(lost()), 0, Optional.empty(), 0);
    }

    LossHistory after(Bounds now) {
        if (window.isEmpty()) {
            return begin(lost(), now, finding.map(each -> new Finding(each.rate, now, now.least())));
        }
        if (!now.continues(window.get(window.size() - 1))) {
            return begin(lost(), now, Optional.empty());
        }
        List<Bounds> next = newest(window, READINGS, now);
        boolean isExact = isExact(next);
        LostPackets nextLedger = isExact ? ledger.exact(now.most()) : ledger.after(now);
        List<Long> nextTotals = isExact ? List.of(nextLedger.lost()) : newest(totals, CONFIRMED, nextLedger.lost());
        if (finding.isPresent() && isClean(finding.get(), next)) {
            return new LossHistory(List.of(now), nextLedger, nextTotals, 0, Optional.empty(), 0);
        }
        OptionalDouble rate = newestRate(next);
        int nowSuspected = rate.isPresent() ? Math.min(suspected + 1, CONFIRMED) : 0;
        return new LossHistory(next, nextLedger, nextTotals, nowSuspected,
            finding.isPresent() || nowSuspected == CONFIRMED ? finding(rate, now) : Optional.empty(), 0);
    }

    /**
     * Whether some of the newest readings were without a packet on its way and told one difference, which none between
     * them rules out: a few packets always pass, as those of BFD.
     */
    private static boolean isExact(List<Bounds> readings) {
        long difference = readings.getLast().most();
        int same = 0;
        for (Bounds each : Lists.reverse(readings)) {
            if (each.least() > difference || each.most() < difference) {
                return false;
            }
            boolean isTold = each.least() == each.most();
            same += isTold ? 1 : 0;
            if (same == CONFIRMED || same == 0) {
                return isTold;
            }
        }
        return false;
    }

    private static OptionalDouble newestRate(List<Bounds> readings) {
        OptionalDouble newest = rate(readings.subList(Math.max(0, readings.size() - NEWEST), readings.size()));
        return newest.isPresent() ? newest : rate(readings);
    }

    /** The newest values of some and one more. */
    static <T> List<T> newest(List<T> before, int most, T now) {
        List<T> newest = new ArrayList<>(before.subList(Math.max(0, before.size() + 1 - most), before.size()));
        newest.add(now);
        return newest;
    }

    private Optional<Finding> finding(OptionalDouble rate, Bounds now) {
        if (finding.isEmpty()) {
            return Optional.of(new Finding(rounded(rate.getAsDouble()), now, ledger.highest()));
        }
        Finding before = finding.get();
        boolean isSame = rate.isEmpty() || rate.getAsDouble() < before.rate * SAME
            && rate.getAsDouble() > before.rate / SAME;
        boolean losesStill = now.sent() - before.mark.sent() >= proof(before.rate) && now.least() > before.mark.most();
        return Optional.of(new Finding(isSame ? before.rate : rounded(rate.getAsDouble()),
            losesStill ? now : before.mark, losesStill ? ledger.highest() : before.least));
    }

    /** So many packets that ten would be lost, also at the least rate that is told like this one. */
    static double proof(double rate) {
        return 10 / (rate / ROUNDED);
    }

    /** Whether so many packets were sent that ten would have been lost, and not even a quarter of that were. */
    static boolean isClean(double rate, long sent, long lost) {
        return sent >= proof(rate) && lost < sent * rate / ROUNDED / 4;
    }

    private static boolean isClean(Finding finding, List<Bounds> readings) {
        List<Bounds> last = readings.subList(Math.max(0, readings.size() - LAST), readings.size());
        // what the link had lost at the first of them is at most what any of them tells
        long sent = last.get(0).sent() - finding.mark.sent();
        long lost = last.stream().mapToLong(Bounds::most).min().orElse(0) - finding.least;
        return isClean(finding.rate, sent, lost);
    }

    /** The part of the packets that is certainly lost, since losses began; empty if it is tolerated. */
    private static OptionalDouble rate(List<Bounds> readings) {
        long lowest = Long.MAX_VALUE;
        long highest = Long.MIN_VALUE;
        long sure = 0;
        long doubt = 0;
        long sentBefore = 0;
        long sent = 0;
        for (Bounds each : readings) {
            if (lowest != Long.MAX_VALUE && each.least() - lowest > sure) {
                sure = each.least() - lowest;
                sent = each.sent() - sentBefore;
            }
            doubt = highest == Long.MIN_VALUE ? 0 : Math.max(doubt, highest - each.most());
            if (each.most() <= lowest) {
                lowest = each.most();
                sentBefore = each.sent();
            }
            highest = Math.max(highest, each.least());
        }
        long lost = sure - 2 * doubt;
        return lost >= FEWEST && lost >= sent * TOLERATED ? OptionalDouble.of((double) lost / Math.max(lost, sent))
            : OptionalDouble.empty();
    }

    /** To the order of magnitude. */
    static double rounded(double rate) {
        return Math.pow(10, Math.max(-4, Math.rint(Math.log10(rate))));
    }

    /** As it is told; empty if nothing is known at present. */
    Optional<Loss> told(double behind) {
        return window.isEmpty() || missed > OUTDATED ? Optional.empty()
            : Optional.of(new Loss((int) Math.rint(Math.max(behind, finding.map(Finding::rate).orElse(0.0)) * MILLION),
                lost()));
    }
}
