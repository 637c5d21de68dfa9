package org.daqfabric.impl.memory;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.topology.Segment;

/** The links of a network in memory, and what the controller has been told of them. */
final class MemoryLinks {
    private final Map<PortId, Segment> byPort = new HashMap<>();
    private final Set<PortId> withoutCarrier = new HashSet<>();
    /** Links that have carrier and transport nothing. */
    private final Set<PortId> silent = new HashSet<>();
    /** Ports that the controller was last told are down, over OpenFlow and over OVSDB. */
    private final Set<PortId> reportedDown = new HashSet<>();
    private final Set<PortId> reportedWithoutCarrier = new HashSet<>();
    private final Predicate<String> halted;

    /**
     * Has no links.
     *
     * @param halted whether the switch of a name does nothing at all, so that its links are down
     */
    MemoryLinks(Predicate<String> halted) {
        this.halted = halted;
    }

    void add(Segment segment) {
        byPort.put(segment.lower(), segment);
        byPort.put(segment.upper(), segment);
    }

    /** The link at a port; null if there is none. */
    Segment at(PortId port) {
        return byPort.get(port);
    }

    /** The links of a switch in the order of their names. */
    List<Segment> of(String switchName) {
        return byPort.values().stream().distinct().filter(segment -> segment.lower().switchName().equals(switchName)
            || segment.upper().switchName().equals(switchName)).sorted(Comparator.comparing(Segment::id)).toList();
    }

    /** False if the link was in that state already. */
    boolean setCarrier(Segment segment, boolean present) {
        return present ? withoutCarrier.remove(segment.id()) : withoutCarrier.add(segment.id());
    }

    /** False if the link was in that state already. */
    boolean setSilent(Segment segment, boolean isSilent) {
        return isSilent ? silent.add(segment.id()) : silent.remove(segment.id());
    }

    boolean hasCarrier(PortId port) {
        return byPort.get(port) == null || !withoutCarrier.contains(byPort.get(port).id());
    }

    boolean isLive(PortId port) {
        return byPort.get(port) == null || !isDown(byPort.get(port));
    }

    boolean isDown(Segment segment) {
        return withoutCarrier.contains(segment.id()) || silent.contains(segment.id())
            || halted.test(segment.lower().switchName()) || halted.test(segment.upper().switchName());
    }

    /** Names of the links that are down, for whatever reason. */
    Set<PortId> down() {
        Set<PortId> down = new HashSet<>();
        byPort.values().stream().filter(this::isDown).forEach(segment -> down.add(segment.id()));
        return down;
    }

    void reportedLive(PortId port, boolean live) {
        set(reportedDown, port, live);
    }

    void reportedCarrier(PortId port, boolean carrier) {
        set(reportedWithoutCarrier, port, carrier);
    }

    private static void set(Set<PortId> down, PortId port, boolean up) {
        if (up) {
            down.remove(port);
        } else {
            down.add(port);
        }
    }

    /** The controller has been told nothing. */
    void forgetReports() {
        reportedDown.clear();
        reportedWithoutCarrier.clear();
    }

    /** Names of the links with an end that the controller was last told is down. */
    Set<PortId> knownDown() {
        Set<PortId> down = new HashSet<>();
        for (Set<PortId> reported : List.of(reportedDown, reportedWithoutCarrier)) {
            reported.stream().map(byPort::get).filter(Objects::nonNull).map(Segment::id).forEach(down::add);
        }
        return down;
    }
}
