package org.daqfabric.impl.engine.loss;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * Packets that a switch loses behind one of its ports, before the port counts them: a firewall or a queue of its node
 * drops them. All ports together show that some are missing; only then rules and groups are read, too, which show to
 * which port they were sent.
 *
 * @param last what the ports had counted at the last reading
 * @param balances of the ports, newest last
 * @param readings of all counters, since packets were first missing; newest last
 * @param pause for how many rounds the switch is not suspected: all of its counters have shown no losses
 * @param located at how many readings in succession the same port was found
 * @param port the port that was found last; 0 for none
 * @param finding present while packets are lost behind a port
 */
public record SwitchLosses(Map<Integer, PortCount> last, List<Balance> balances, List<SwitchCounts> readings,
        int pause, int located, int port, Optional<Finding> finding) {
    public static final SwitchLosses UNKNOWN = new SwitchLosses(Map.of(), List.of(), List.of(), 0, 0, 0,
        Optional.empty());

    private static final int BALANCES = 6;
    private static final int READINGS = 120;
    /** Readings that are compared with others: the best of them is taken. */
    private static final int GROUP = 2;
    /** Readings in which no packet is missing, after which a switch is not suspected any more. */
    private static final int CLEAN = 10;
    /** Rounds until a switch is suspected again in whose counters nothing was found. */
    private static final int PAUSE = 10;
    /** Readings at which the same port must be found. */
    private static final int CONFIRMED = 3;

    public SwitchLosses {
        balances = List.copyOf(balances);
        readings = List.copyOf(readings);
    }

    /**
     * What all ports have counted together.
     *
     * @param missing packets that came in more than went out
     */
    record Balance(long missing, long transmitted) {
    }

    /**
     * Where packets are lost.
     *
     * @param rate part of what is sent to the port
     * @param mark what the port had transmitted when packets were last missing
     * @param missing of the switch by then, at most
     */
    public record Finding(int port, double rate, long mark, long missing) {
        private static Finding of(int port, double rate, List<SwitchCounts> readings) {
            return new Finding(port, rate, newest(readings).transmitted().getOrDefault(port, 0L),
                readings.stream().skip(Math.max(0, readings.size() - GROUP)).mapToLong(SwitchCounts::missing).max()
                    .orElse(0));
        }
    }

    /** After a reading of the ports alone. */
    public SwitchLosses after(Map<Integer, PortCount> ports) {
        Balance now = new Balance(SwitchCounts.missing(ports),
            ports.values().stream().mapToLong(PortCount::transmitted).filter(count -> count >= 0).sum());
        return continues(ports) ? new SwitchLosses(ports, LossHistory.newest(balances, BALANCES, now), readings,
                Math.max(0, pause - 1), located, port, finding)
            : new SwitchLosses(ports, List.of(now), List.of(), 0, 0, 0, finding);
    }

    /** Whether there are the same ports as before, and none of their counters began again. */
    private boolean continues(Map<Integer, PortCount> ports) {
        return ports.keySet().equals(last.keySet()) && ports.entrySet().stream().allMatch(each -> {
            PortCount before = last.get(each.getKey());
            return each.getValue().received() >= before.received()
                && each.getValue().transmitted() >= before.transmitted();
        });
    }

    /** Whether all counters of the switch should be read. */
    public boolean isSuspected() {
        OptionalLong missing = growth(balances, Balance::missing);
        return !readings.isEmpty() || finding.isPresent() || pause == 0 && missing.isPresent()
            && missing.getAsLong() >= LossHistory.FEWEST
            && missing.getAsLong() >= LossHistory.TOLERATED * growth(balances, Balance::transmitted).orElse(0);
    }

    /**
     * After a reading of all counters.
     *
     * @param links the ports of links that are up
     */
    public SwitchLosses after(SwitchCounts now, Set<Integer> links) {
        if (finding.isPresent() && !links.contains(finding.get().port)) {
            return new SwitchLosses(last, balances, List.of(), PAUSE, 0, 0, Optional.empty());
        }
        if (readings.isEmpty() || !now.continues(newest(readings))) {
            return new SwitchLosses(last, balances, List.of(now), 0, 0, 0,
                finding.map(found -> Finding.of(found.port, found.rate, List.of(now))));
        }
        if (finding.isPresent()) {
            return watched(LossHistory.newest(readings, CLEAN, now));
        }
        List<SwitchCounts> next = LossHistory.newest(readings, READINGS, now);
        List<SwitchCounts> newest = next.subList(Math.max(0, next.size() - CLEAN), next.size());
        if (newest.size() == CLEAN && growth(newest, SwitchCounts::missing).orElse(0) < LossHistory.FEWEST
                || next.size() == READINGS) {
            return new SwitchLosses(last, List.of(), List.of(), PAUSE, 0, 0, Optional.empty());
        }
        OptionalInt found = growth(next, SwitchCounts::missing).orElse(0) < LossHistory.FEWEST ? OptionalInt.empty()
            : LossyPort.of(next, links);
        int where = found.orElse(0);
        int times = where == 0 ? 0 : where == port ? located + 1 : 1;
        return new SwitchLosses(last, balances, next, 0, times, where, times < CONFIRMED ? Optional.empty()
            : finding(next, where));
    }

    private static Optional<Finding> finding(List<SwitchCounts> readings, int port) {
        long missing = growth(readings, SwitchCounts::missing).orElse(0);
        long sent = growth(readings, reading -> reading.transmitted().getOrDefault(port, 0L)).orElse(0) + missing;
        double rate = (double) missing / Math.max(1, sent);
        return rate < LossHistory.TOLERATED ? Optional.empty()
            : Optional.of(Finding.of(port, LossHistory.rounded(Math.min(1, rate)), readings));
    }

    /** A link that is not used carries little, and is watched for longer than readings are kept: marks are. */
    private SwitchLosses watched(List<SwitchCounts> next) {
        Finding found = finding.orElseThrow();
        long sent = newest(next).transmitted().getOrDefault(found.port, 0L) - found.mark;
        if (next.size() < CLEAN || sent < LossHistory.proof(found.rate)) {
            return new SwitchLosses(last, balances, next, 0, located, port, finding);
        }
        long lost = next.stream().skip(next.size() - GROUP).mapToLong(SwitchCounts::missing).min().orElse(0)
            - found.missing;
        return new SwitchLosses(last, balances, List.of(newest(next)), 0, 0, 0,
            LossHistory.isClean(found.rate, sent, lost) ? Optional.empty()
                : Optional.of(Finding.of(found.port, found.rate, next)));
    }

    /** The least by which a value has grown; packets that wait in a buffer are missing for a moment only. */
    private static <T> OptionalLong growth(List<T> values, ToLongFunction<T> value) {
        return values.size() < 2 * GROUP ? OptionalLong.empty() : OptionalLong.of(
            values.subList(values.size() - GROUP, values.size()).stream().mapToLong(value).min().orElse(0)
                - values.subList(0, GROUP).stream().mapToLong(value).max().orElse(0));
    }

    private static <T> T newest(List<T> values) {
        return values.get(values.size() - 1);
    }
}
