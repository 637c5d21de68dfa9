package org.daqfabric.impl.controller.links;

import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.program.Action;
import org.daqfabric.api.spec.Dcm;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.async.CacheKey;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Topology;
import org.eclipse.jdt.annotation.Nullable;

/**
 * The ports to ROS, DCMs and other hosts that are known to carry nothing, with the hosts behind them. Belongs to the
 * fabric's event loop.
 */
public final class HostPorts {
    private final Map<String, SwitchView> switches;
    private SortedMap<PortId, SortedSet<String>> down = new TreeMap<>();
    private @Nullable CacheKey last;

    public HostPorts(Map<String, SwitchView> switches) {
        this.switches = switches;
    }

    /**
     * The names of the hosts that are cut off, by port; the same object as long as nothing changes.
     *
     * @param revision revision of the switches' reports
     */
    public SortedMap<PortId, SortedSet<String>> down(Topology topology, PortNumbers numbers, long revision) {
        CacheKey key = CacheKey.of(topology, numbers, revision);
        if (!key.isSame(last)) {
            last = key;
            SortedMap<PortId, SortedSet<String>> now = compute(topology, numbers);
            down = now.equals(down) ? down : now;
        }
        return down;
    }

    private SortedMap<PortId, SortedSet<String>> compute(Topology topology, PortNumbers numbers) {
        SortedMap<PortId, SortedSet<String>> found = new TreeMap<>();
        for (Endpoint host : topology.addresses().values()) {
            PortId port = new PortId(host.edge(), host.port());
            SwitchView view = switches.getOrDefault(host.edge(), SwitchView.UNKNOWN);
            if (view.isDown(host.port(), number(port, numbers))) {
                found.computeIfAbsent(port, key -> new TreeSet<>()).add(host.name());
            }
        }
        return found;
    }

    private static int number(PortId port, PortNumbers numbers) {
        return port.port().equals(Dcm.LOCAL) ? Action.LOCAL : numbers.of(port).orElse(NumberedLink.NONE);
    }
}
