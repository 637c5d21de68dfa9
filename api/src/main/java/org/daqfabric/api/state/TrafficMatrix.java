package org.daqfabric.api.state;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.daqfabric.api.spec.FabricSpec;

/**
 * What the ROS of a fabric have sent to its DCMs, as the rules of their switches counted it: with Ethernet headers,
 * without checksums.
 *
 * @param over the time in which it was counted; zero for everything since the rules were written
 * @param pairs those with packets, the most bytes first
 * @param shared what rules for prefixes counted that have several DCMs in them; part of no pair
 * @param unread why switches of ROS could not be read, by switch; their packets are missing
 * @param measured how the fabric does under what was counted in {@code pairs}; empty if nothing was
 */
public record TrafficMatrix(Duration over, List<Pair> pairs, List<Shared> shared, SortedMap<String, String> unread,
        Optional<Weights> measured) {
    public TrafficMatrix {
        pairs = List.copyOf(pairs);
        shared = List.copyOf(shared);
    }

    /** What was sent from one ROS to one DCM. */
    public record Pair(String ros, String dcm, long packets, long bytes) {
    }

    /** What was sent from one ROS to the addresses of a prefix. */
    public record Shared(String ros, String prefix, long packets, long bytes) {
    }

    /**
     * Weights that were measured, relative to the mean of all, and what they are worth.
     *
     * @param ros fragment weights by ROS
     * @param dcms weights by DCM
     * @param bandwidth Gbps that the present placement carries of traffic with these weights
     * @param bottleneck the link that is full then
     * @param configured Gbps if these weights were configured and everything placed for them
     */
    public record Weights(SortedMap<String, Double> ros, SortedMap<String, Double> dcms, double bandwidth,
            String bottleneck, double configured) {
        /** A fabric with these weights; ROS and DCMs that were not measured keep their own. */
        public FabricSpec applied(FabricSpec spec) {
            return spec.weighed(each -> ros.getOrDefault(each.name(), each.fragmentWeight()),
                each -> dcms.getOrDefault(each.name(), each.weight()));
        }
    }
}
