package org.daqfabric.impl.ovsdb;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.api.program.Bridge.Port;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.BridgeRow;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.PortRow;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.SystemRow;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens ports anew whose device was made anew under its name, as by a reload of its driver: ovs-vswitchd goes on with
 * the old device, which is gone. Such a port is taken out, waited for, and put back. Lives in its node's mailbox; times
 * are in nanoseconds.
 */
final class PortReopening {
    private static final Logger LOG = LoggerFactory.getLogger(PortReopening.class);
    /** From one opening of a port to the next. */
    static final Duration PAUSE = Duration.ofMinutes(1);

    /** The kernel's numbers of devices, by uuid of their Interface. */
    private final Map<String, Long> devices = new HashMap<>();
    /** When ports were taken out last. */
    private final Map<String, Long> takenOut = new HashMap<>();
    /** Ports that are to be out until ovs-vswitchd has closed them. */
    private final SortedSet<String> closed = new TreeSet<>();
    private final Runnable recheck;

    /**
     * Knows nothing yet.
     *
     * @param recheck asks for another look after the pause
     */
    PortReopening(Runnable recheck) {
        this.recheck = recheck;
    }

    /** The node has connected: what changed meanwhile is not known. */
    void connected() {
        devices.clear();
        closed.clear();
    }

    /** Looks at the rows. */
    void observe(OvsdbSnapshot snapshot, Collection<Bridge> desired, long now) {
        SystemRow system = snapshot.system().orElseThrow();
        SortedMap<String, PortRow> present = new TreeMap<>();
        for (BridgeRow row : snapshot.bridges().values()) {
            Optional<Bridge> bridge = desired.stream().filter(each -> each.name().equals(row.name())).findFirst();
            row.ports().stream().map(snapshot.ports()::get)
                .filter(port -> port != null && bridge.isPresent() && bridge.get().ports().containsKey(port.name()))
                .forEach(port -> present.put(port.name(), port));
        }
        if (system.curCfg() >= system.nextCfg()) {
            closed.retainAll(present.keySet());
        }
        boolean waits = false;
        for (PortRow port : present.values()) {
            for (String uuid : port.interfaces()) {
                long device = snapshot.interfaces().containsKey(uuid)
                    ? snapshot.interfaces().get(uuid).ifindex().orElse(0) : 0;
                waits |= device > 0 && isLate(system, port.name(), devices.putIfAbsent(uuid, device), device, now);
            }
        }
        devices.keySet().retainAll(snapshot.interfaces().keySet());
        if (waits) {
            recheck.run();
        }
    }

    private boolean isLate(SystemRow system, String port, Long before, long device, long now) {
        if (before == null || before == device || closed.contains(port)) {
            return false;
        }
        if (takenOut.containsKey(port) && now - takenOut.get(port) < PAUSE.toNanos()) {
            return true;
        }
        LOG.warn("Node {}: the device of port {} was made anew under its name (number {}, before {}), as by a reload of"
            + " its driver: the port is opened anew", system.systemId(), port, device, before);
        takenOut.put(port, now);
        closed.add(port);
        return false;
    }

    /** The bridges without the ports that are to be out. */
    SortedMap<String, Bridge> open(SortedMap<String, Bridge> desired) {
        if (closed.isEmpty()) {
            return desired;
        }
        SortedMap<String, Bridge> open = new TreeMap<>(desired);
        open.replaceAll((name, bridge) -> {
            SortedMap<String, Port> ports = new TreeMap<>(bridge.ports());
            ports.keySet().removeAll(closed);
            return bridge.withPorts(ports);
        });
        return open;
    }
}
