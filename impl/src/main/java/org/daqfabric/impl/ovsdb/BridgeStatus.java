package org.daqfabric.impl.ovsdb;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.api.state.RingDrops;
import org.daqfabric.impl.controller.spi.BridgeListener;
import org.daqfabric.impl.controller.spi.BridgeListener.PortStatus;
import org.daqfabric.impl.ovsdb.BridgePlan.Problems;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.BridgeRow;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.InterfaceRow;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.PortRow;
import org.eclipse.jdt.annotation.Nullable;

/** Reads the state of a bridge and its ports from a node's rows. */
final class BridgeStatus {
    private BridgeStatus() {
    }

    /**
     * What is reported of one bridge.
     *
     * @param drops the episode that a daqring holds back, by port; empty for a port that holds back none
     * @param isUntold whether nobody knows of it, though it has been told
     */
    record Report(SortedMap<String, PortStatus> ports, String error,
            SortedMap<String, Optional<RingDrops>> drops, boolean isUntold) {
        Report(SortedMap<String, PortStatus> ports, String error, SortedMap<String, Optional<RingDrops>> drops) {
            this(ports, error, drops, false);
        }

        /** Of which all is told again, and what daqrings hold back since is known to be of now. */
        Report untold() {
            return new Report(ports, error, drops, true);
        }

        /** Of a bridge that cannot be reached. */
        static Report failed(String error) {
            return new Report(new TreeMap<>(), error, new TreeMap<>());
        }

        /**
         * Tells a listener what an earlier report has not told.
         *
         * @param before null if there was none
         */
        void tell(BridgeListener listener, String systemId, String bridge, @Nullable Report before) {
            boolean again = before != null && before.isUntold;
            if (before == null || again || !ports.equals(before.ports) || !error.equals(before.error)) {
                listener.bridge(systemId, bridge, ports, error);
            }
            Map<String, Optional<RingDrops>> known = before == null ? Map.of() : before.drops;
            for (boolean isNow : new boolean[] { false, true }) {
                SortedMap<String, RingDrops> fresh = new TreeMap<>();
                drops.forEach((port, held) -> {
                    boolean isNew = !held.equals(known.get(port));
                    held.filter(found -> (isNew || again) && (isNew && known.containsKey(port)) == isNow)
                        .ifPresent(found -> fresh.put(port, found));
                });
                if (!fresh.isEmpty()) {
                    listener.ringsDropped(systemId, bridge, fresh, isNow);
                }
            }
        }
    }

    /**
     * The state of the desired ports of a bridge.
     *
     * @param trouble what else keeps the bridge from its desired state; may be empty
     * @param settled whether vswitchd has applied all changes
     */
    static Report of(OvsdbSnapshot snapshot, Bridge bridge, Problems problems, String trouble, boolean settled) {
        Map<String, InterfaceRow> existing = interfaces(snapshot, bridge.name());
        // another one may switch by a NORMAL rule
        boolean isPath = !problems.isForeign() && !snapshot.switchesByItself(bridge.name());
        SortedMap<String, PortStatus> ports = new TreeMap<>();
        SortedMap<String, Optional<RingDrops>> drops = new TreeMap<>();
        StringJoiner error = new StringJoiner("; ");
        if (!problems.text().isEmpty()) {
            error.add(problems.text());
        }
        if (!trouble.isEmpty()) {
            error.add(trouble);
        }
        bridge.ports().forEach((name, port) -> {
            String problem = problems.ports().get(name);
            InterfaceRow row = existing.get(name);
            if (!isPath) {
                ports.put(name, new PortStatus(row == null ? OptionalInt.empty() : number(row.ofport()), false, ""));
            } else if (problem != null) {
                ports.put(name, new PortStatus(OptionalInt.empty(), false, problem));
            } else if (row == null) {
                ports.put(name, new PortStatus(OptionalInt.empty(), true, ""));
            } else {
                OptionalInt number = number(row.ofport());
                ports.put(name, new PortStatus(number, isUp(row), row.error().isEmpty() ? ""
                    : snapshot.system().map(system -> DpdkPorts.explain(system, port, bridge.mtu(), row.error()))
                        .orElse(row.error())));
                drops.put(name, row.drops());
                if (settled && number.isPresent() && number.getAsInt() != port.number()) {
                    error.add("port " + name + " got OpenFlow number " + number.getAsInt() + " instead of "
                        + port.number() + ": free that number on the node");
                }
                if (settled && !port.type().equals("daqring")) {
                    mtu(name, row, bridge.mtu()).ifPresent(error::add);
                }
            }
        });
        InterfaceRow local = existing.get(bridge.name());
        if (settled && local != null) {
            mtu(bridge.name(), local, bridge.mtu()).ifPresent(error::add);
        }
        SiteSettings.of(snapshot, bridge).forEach(error::add);
        return new Report(ports, error.toString(), drops);
    }

    /** What is wrong with the MTU of a port that Open vSwitch could not give it, which it only logs. */
    private static Optional<String> mtu(String name, InterfaceRow row, OptionalInt wanted) {
        if (wanted.isEmpty() || row.mtu().isEmpty() || row.mtu().getAsLong() == wanted.getAsInt()
                || !row.mtuRequest().equals(OptionalLong.of(wanted.getAsInt()))) {
            return Optional.empty();
        }
        return Optional.of("port " + name + " has an MTU of " + row.mtu().getAsLong() + " bytes instead of "
            + wanted.getAsInt() + ": its card or driver does not take it, see ovs-vswitchd's log; larger packets are"
            + " dropped there until it does, or until the fabric's mtu is lower");
    }

    private static OptionalInt number(OptionalLong ofport) {
        return ofport.isPresent() && ofport.getAsLong() > 0 ? OptionalInt.of((int) ofport.getAsLong())
            : OptionalInt.empty();
    }

    private static boolean isUp(InterfaceRow row) {
        return !"down".equals(row.adminState()) && !"down".equals(row.linkState());
    }

    private static Map<String, InterfaceRow> interfaces(OvsdbSnapshot snapshot, String bridge) {
        Map<String, InterfaceRow> interfaces = new HashMap<>();
        for (BridgeRow row : snapshot.bridges().values()) {
            if (!row.name().equals(bridge)) {
                continue;
            }
            for (String uuid : row.ports()) {
                PortRow port = snapshot.ports().get(uuid);
                if (port != null && port.interfaces().size() == 1
                        && snapshot.interfaces().containsKey(port.interfaces().first())) {
                    interfaces.put(port.name(), snapshot.interfaces().get(port.interfaces().first()));
                }
            }
        }
        return interfaces;
    }
}
