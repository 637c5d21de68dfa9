package org.daqfabric.impl.memory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.impl.memory.DeliveryQueue.Channel;
import org.daqfabric.impl.memory.DeliveryQueue.Protocol;

/** A node with one OVSDB connection and a process that runs all its bridges, each a switch. */
final class MemoryNode {
    final String systemId;
    final List<MemorySwitch> switches = new ArrayList<>();
    /** Over OVSDB. */
    boolean connected = true;

    MemoryNode(String systemId) {
        this.systemId = systemId;
    }

    Channel ovsdb() {
        return new Channel(Protocol.OVSDB, systemId);
    }

    boolean isFrozen() {
        return switches.stream().anyMatch(each -> each.frozen);
    }

    /** Where the ports are that a bridge must not have, because another bridge of the node has them. */
    Map<String, String> taken(MemorySwitch by) {
        Map<String, String> taken = new HashMap<>();
        for (MemorySwitch each : switches) {
            if (each != by && each.bridge.isPresent()) {
                Bridge other = each.bridge.get();
                other.ports().keySet().forEach(port -> taken.put(port, other.name()));
                taken.put(other.name(), other.name());
            }
        }
        return taken;
    }
}
