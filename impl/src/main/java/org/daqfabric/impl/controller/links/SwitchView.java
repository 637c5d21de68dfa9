package org.daqfabric.impl.controller.links;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import org.daqfabric.api.state.PortBit;
import org.daqfabric.impl.controller.spi.BridgeListener;

/**
 * What is known of one switch. The state of its ports outlives its connections: a switch without a controller keeps
 * forwarding, so its last reported state stands until another report.
 *
 * @param everOvsdb whether it was ever connected over OVSDB since the controller started
 * @param everOpenflow whether it was ever connected over OpenFlow since then
 * @param ringCapable whether its Open vSwitch supports daqrings
 * @param bridgeError why its bridge is not in the desired state; empty if it is
 * @param ports its ports by name, as OVSDB last reported them
 * @param live whether a port forwards, by OpenFlow number, as OpenFlow last reported it
 * @param bits those of a port's configuration that are set and stop packets, by OpenFlow number; none is empty
 * @param said counts what it has said over OpenFlow
 */
public record SwitchView(boolean everOvsdb, boolean everOpenflow, boolean ovsdb, boolean openflow, boolean ringCapable,
        String bridgeError, Map<String, BridgeListener.PortStatus> ports, Map<Integer, Boolean> live,
        Map<Integer, Set<PortBit>> bits, long said) {
    /** A switch that has not reported anything. */
    public static final SwitchView UNKNOWN = new SwitchView(false, false, false, false, false, "", Map.of(), Map.of(),
        Map.of(), 0);

    public SwitchView ovsdbUp(boolean supportsRings) {
        return new SwitchView(true, everOpenflow, true, openflow, supportsRings, bridgeError, ports, live, bits, said);
    }

    public SwitchView ovsdbDown() {
        return new SwitchView(everOvsdb, everOpenflow, false, openflow, ringCapable, bridgeError, ports, live, bits,
            said);
    }

    public SwitchView bridge(Map<String, BridgeListener.PortStatus> reported, String error) {
        return new SwitchView(everOvsdb, everOpenflow, ovsdb, openflow, ringCapable, error, Map.copyOf(reported), live,
            bits, said);
    }

    public SwitchView openflowUp() {
        return new SwitchView(everOvsdb, true, ovsdb, true, ringCapable, bridgeError, ports, Map.of(), Map.of(),
            said + 1);
    }

    public SwitchView openflowDown() {
        return new SwitchView(everOvsdb, everOpenflow, ovsdb, false, ringCapable, bridgeError, ports, live, bits, said);
    }

    public SwitchView port(int number, boolean up, Set<PortBit> set) {
        Map<Integer, Boolean> now = new HashMap<>(live);
        now.put(number, up);
        return new SwitchView(everOvsdb, everOpenflow, ovsdb, openflow, ringCapable, bridgeError, ports,
            Map.copyOf(now), bits(number, set), said + 1);
    }

    /** It has answered. */
    public SwitchView heard() {
        return new SwitchView(everOvsdb, everOpenflow, ovsdb, openflow, ringCapable, bridgeError, ports, live, bits,
            said + 1);
    }

    private Map<Integer, Set<PortBit>> bits(int number, Set<PortBit> set) {
        if (set.equals(bits.getOrDefault(number, Set.of()))) {
            return bits;
        }
        Map<Integer, Set<PortBit>> now = new HashMap<>(bits);
        if (set.isEmpty()) {
            now.remove(number);
        } else {
            now.put(number, set);
        }
        return Map.copyOf(now);
    }

    /** The bits of a port's configuration that are set and stop packets. */
    public Set<PortBit> bitsOf(int number) {
        return bits.getOrDefault(number, Set.of());
    }

    /**
     * Names of the ports that exist with the numbers they must have. Until OVSDB has reported any port, all are assumed
     * to exist, so that a switch that reconnects over OpenFlow first keeps its rules.
     */
    public Set<String> present(SortedMap<String, Integer> numbers) {
        if (ports.isEmpty()) {
            return Set.copyOf(numbers.keySet());
        }
        Set<String> names = new HashSet<>();
        numbers.forEach((name, number) -> {
            BridgeListener.PortStatus status = ports.get(name);
            if (status != null && status.number().isPresent() && status.number().getAsInt() == number) {
                names.add(name);
            }
        });
        return names;
    }

    /** Whether every port either exists with its number or has an error. */
    boolean isComplete(SortedMap<String, Integer> numbers) {
        return numbers.entrySet().stream().allMatch(entry -> {
            BridgeListener.PortStatus status = ports.get(entry.getKey());
            return status != null && (!status.error().isEmpty()
                || status.number().equals(OptionalInt.of(entry.getValue())));
        });
    }

    /** Whether the switch has reported the state of all its ports over both connections. */
    boolean isKnown(SortedMap<String, Integer> numbers) {
        return ovsdb && openflow && numbers.entrySet().stream().allMatch(entry -> {
            BridgeListener.PortStatus status = ports.get(entry.getKey());
            return status != null && (!status.error().isEmpty() || live.containsKey(entry.getValue()));
        });
    }

    /** Whether a port exists with its number and is known to forward. */
    boolean isUp(String port, int number) {
        BridgeListener.PortStatus status = ports.get(port);
        return status != null && number != NumberedLink.NONE && status.number().orElse(NumberedLink.NONE) == number
            && !isDown(port, number) && live.getOrDefault(number, false);
    }

    /** Whether a port is known to carry nothing. */
    boolean isDown(String port, int number) {
        return hasFailed(port) || !live.getOrDefault(number, true);
    }

    /** Whether a port has no carrier or could not be created. */
    boolean hasFailed(String port) {
        BridgeListener.PortStatus status = ports.get(port);
        return status != null && (!status.up() || !status.error().isEmpty());
    }

    /** Whether a port was reported, over OVSDB or OpenFlow. */
    boolean isSeen(String port, int number) {
        return ports.containsKey(port) || isReported(number);
    }

    /** Whether OpenFlow has reported a port. */
    boolean isReported(int number) {
        return live.containsKey(number);
    }
}
