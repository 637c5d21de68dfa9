package org.daqfabric.impl.ovsdb;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.api.program.Bridge.Port;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.BridgeRow;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.InterfaceRow;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.PortRow;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.SystemRow;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens ports anew that ovs-vswitchd would leave as they are for good: those whose device was made anew under its name,
 * as by a reload of its driver, for ovs-vswitchd goes on with the old device, which is gone; and those whose Interface
 * shows another OpenFlow number than the one that is asked for and free. The latter is seen where another tool asks for
 * a number and we put ours back at once: ovs-vswitchd 3.1 gives the port our number, but takes its own write of the
 * other one, which it has not read back yet, for ours, and writes nothing. Such a port is taken out, waited for, and
 * put back. Lives in its node's mailbox; times are in nanoseconds.
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
        final boolean isSettled = system.curCfg() >= system.nextCfg();
        SortedMap<String, PortRow> present = new TreeMap<>();
        SortedMap<String, String> reasons = new TreeMap<>();
        for (BridgeRow row : snapshot.bridges().values()) {
            Optional<Bridge> bridge = desired.stream().filter(each -> each.name().equals(row.name())).findFirst();
            row.ports().stream().map(snapshot.ports()::get)
                .filter(port -> port != null && bridge.isPresent() && bridge.get().ports().containsKey(port.name()))
                .forEach(port -> present.put(port.name(), port));
            if (isSettled && bridge.isPresent()) {
                wrongNumbers(snapshot, row, bridge.get().ports(), reasons);
            }
        }
        if (isSettled) {
            closed.retainAll(present.keySet());
        }
        present.values().forEach(port -> interfaces(snapshot, port).forEach(each -> newDevice(each, reasons)));
        boolean waits = false;
        for (Map.Entry<String, String> each : reasons.entrySet()) {
            waits |= isLate(system, each.getKey(), each.getValue(), now);
        }
        devices.keySet().retainAll(snapshot.interfaces().keySet());
        if (waits) {
            recheck.run();
        }
    }

    /** A port whose device has another number than when its Interface was first seen. */
    private void newDevice(InterfaceRow row, SortedMap<String, String> reasons) {
        long device = row.ifindex().orElse(0);
        Long before = device > 0 ? devices.putIfAbsent(row.uuid(), device) : null;
        if (before != null && before != device) {
            reasons.put(row.name(), "its device was made anew under its name (number " + device + ", before " + before
                + "), as by a reload of its driver");
        }
    }

    /** Ports whose Interface shows another number than the one that is asked for, which no other port of theirs has. */
    private static void wrongNumbers(OvsdbSnapshot snapshot, BridgeRow bridge, SortedMap<String, Port> wanted,
            SortedMap<String, String> reasons) {
        List<InterfaceRow> rows = bridge.ports().stream().map(snapshot.ports()::get).filter(Objects::nonNull)
            .flatMap(port -> interfaces(snapshot, port)).toList();
        Set<OptionalLong> taken = rows.stream().map(InterfaceRow::ofport).collect(Collectors.toSet());
        rows.stream().filter(row -> wanted.containsKey(row.name())).forEach(row -> {
            OptionalLong number = OptionalLong.of(wanted.get(row.name()).number());
            if (row.ofport().orElse(0) > 0 && row.ofportRequest().equals(number) && !taken.contains(number)) {
                reasons.put(row.name(), "its Interface shows OpenFlow number " + row.ofport().getAsLong() + " while "
                    + number.getAsLong() + " is asked for and free");
            }
        });
    }

    private static Stream<InterfaceRow> interfaces(OvsdbSnapshot snapshot, PortRow port) {
        return port.interfaces().stream().map(snapshot.interfaces()::get).filter(Objects::nonNull);
    }

    private boolean isLate(SystemRow system, String port, String reason, long now) {
        if (closed.contains(port)) {
            return false;
        }
        if (takenOut.containsKey(port) && now - takenOut.get(port) < PAUSE.toNanos()) {
            return true;
        }
        LOG.warn("Node {}: port {}: {}: the port is opened anew", system.systemId(), port, reason);
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
