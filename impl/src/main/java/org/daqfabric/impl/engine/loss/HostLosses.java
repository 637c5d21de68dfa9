package org.daqfabric.impl.engine.loss;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.state.FabricState.HostDrops;

/**
 * What the kernel of a switch's host has dropped since the first reading.
 *
 * @param sockets what was counted last at the packet socket of each port
 * @param backlogs what was counted last for the host
 * @param total by how much these have grown
 */
public record HostLosses(SortedMap<String, Long> sockets, OptionalLong backlogs, HostDrops total) {
    public static final HostLosses UNKNOWN =
        new HostLosses(Collections.emptySortedMap(), OptionalLong.empty(), HostDrops.NONE);

    public HostLosses {
        sockets = Collections.unmodifiableSortedMap(new TreeMap<>(sockets));
    }

    /** After another reading. A count that is new may be of long ago; one that has become less began again at 0. */
    public HostLosses after(Map<String, Long> socketsNow, OptionalLong backlogsNow) {
        long inSockets = total.sockets();
        for (Map.Entry<String, Long> port : socketsNow.entrySet()) {
            inSockets += growth(sockets.getOrDefault(port.getKey(), port.getValue()), port.getValue());
        }
        long inBacklogs = total.backlogs() + (backlogsNow.isEmpty() ? 0
            : growth(backlogs.orElse(backlogsNow.getAsLong()), backlogsNow.getAsLong()));
        return new HostLosses(new TreeMap<>(socketsNow), backlogsNow, new HostDrops(inSockets, inBacklogs));
    }

    private static long growth(long before, long now) {
        return now < before ? now : now - before;
    }

    /** As it is told; empty while the node tells nothing. */
    public Optional<HostDrops> told() {
        return sockets.isEmpty() && backlogs.isEmpty() ? Optional.empty() : Optional.of(total);
    }
}
