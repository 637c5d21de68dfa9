package org.daqfabric.api.plan;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Phases in which every node sends to one other at most, receives from one at most, and no link carries more than it
 * can. After all phases every ROS has sent a fragment to every DCM of another node that it has a path to.
 *
 * @param generation the generation of programs whose paths it is for; with another generation ask again
 * @param phases their number
 * @param bound a number that no schedule on these paths is below
 * @param boundBy what makes it so: a node or a link; empty without transfers
 * @param rate Gbps at which each node may send: the capacity of the slowest usable link; 0 without one
 * @param transfers number of fragments in all phases
 * @param withoutPath number of pairs that have no path
 * @param dcms by ROS, the DCM to which it sends in each phase; an empty name where it sends nothing
 */
public record Schedule(long generation, int phases, int bound, String boundBy, double rate, int transfers,
        int withoutPath, SortedMap<String, List<String>> dcms) {
    public Schedule {
        dcms = Collections.unmodifiableSortedMap(new TreeMap<>(dcms));
    }
}
