package org.daqfabric.impl.engine.loss;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a switch has done with packets, by all of its counters at about the same time. Open vSwitch brings the counters
 * of rules and groups up to date twice a second only, all of them together.
 *
 * @param excess packets that rules and groups have sent to each port more than it has transmitted
 * @param transmitted by port, also those to which no rule sends
 * @param missing packets that came in and neither went out nor were dropped by a rule or a full queue
 */
public record SwitchCounts(SortedMap<Integer, Long> excess, SortedMap<Integer, Long> transmitted, long missing) {
    /**
     * The reading of one switch.
     *
     * @param ports what its ports have counted; the controller is one of them
     * @param ruled packets that rules and groups have sent to each port
     * @param dropped packets that rules have dropped
     */
    public static SwitchCounts of(Map<Integer, PortCount> ports, Map<Integer, Long> ruled, long dropped) {
        SortedMap<Integer, Long> excess = new TreeMap<>();
        SortedMap<Integer, Long> transmitted = new TreeMap<>();
        ports.forEach((number, count) -> {
            if (count.transmitted() >= 0) {
                transmitted.put(number, count.transmitted());
                if (ruled.containsKey(number)) {
                    excess.put(number, ruled.get(number) - count.transmitted() - Math.max(0, count.dropped()));
                }
            }
        });
        return new SwitchCounts(excess, transmitted, missing(ports) - dropped);
    }

    /** The same, if it has been told to send frames out of ports, too, without a rule. */
    public SwitchCounts and(Map<Integer, Long> frames) {
        SortedMap<Integer, Long> all = new TreeMap<>(excess);
        all.replaceAll((port, more) -> more + frames.getOrDefault(port, 0L));
        return new SwitchCounts(all, transmitted, missing);
    }

    /** Whether there are the same ports and rules as at an earlier reading: the counters of rules end with them. */
    boolean continues(SwitchCounts earlier) {
        return excess.keySet().equals(earlier.excess.keySet()) && excess.entrySet().stream().allMatch(each -> {
            long sent = transmitted.get(each.getKey()) - earlier.transmitted.get(each.getKey());
            return sent >= 0 && each.getValue() >= earlier.excess.get(each.getKey()) - sent - LossHistory.FEWEST;
        });
    }

    /** Packets that came in more than went out, or were dropped by a full queue. */
    static long missing(Map<Integer, PortCount> ports) {
        return ports.values().stream().filter(count -> count.received() >= 0 && count.transmitted() >= 0)
            .mapToLong(count -> count.received() - count.transmitted() - Math.max(0, count.dropped())).sum();
    }
}
