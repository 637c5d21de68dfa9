package org.daqfabric.api.run;

import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.spec.PortId;

/**
 * Packets that the fabric lost while a run was in progress, and in the seconds after its end, when counters that have
 * come to rest tell exactly: at least so many, and all of them if the controller was not restarted meanwhile.
 *
 * @param links packets that links lost, by the port that had sent them; about those that lost most, at most
 *     {@link #MOST}
 * @param daqrings packets that the daqrings of its DCMs dropped
 */
public record RunLosses(SortedMap<PortId, Long> links, long daqrings) {
    public static final RunLosses NONE = new RunLosses(Collections.emptySortedMap(), 0);
    static final int MOST = 100;

    public RunLosses {
        links = Collections.unmodifiableSortedMap(new TreeMap<>(links));
    }

    public RunLosses plus(RunLosses more) {
        SortedMap<PortId, Long> sum = new TreeMap<>(links);
        more.links.forEach((port, packets) -> sum.merge(port, packets, Long::sum));
        SortedMap<PortId, Long> most = new TreeMap<>();
        sum.entrySet().stream().sorted(Map.Entry.comparingByValue(Comparator.reverseOrder())).limit(MOST)
            .forEach(each -> most.put(each.getKey(), each.getValue()));
        return new RunLosses(most, daqrings + more.daqrings);
    }
}
