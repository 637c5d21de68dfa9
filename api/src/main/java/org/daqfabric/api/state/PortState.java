package org.daqfabric.api.state;

import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedSet;
import org.daqfabric.api.spec.PortId;

/**
 * A port of a link or of DCMs as its switch has it.
 *
 * @param speed Gbps; empty if Open vSwitch does not know it, as without a carrier
 * @param duplex {@code full} or {@code half}; empty if Open vSwitch does not know it
 * @param mtu bytes; empty if Open vSwitch does not know it
 * @param queues those that a PMD thread polls, as far as the node tells; none for a port of the kernel
 * @param bits those of its OpenFlow configuration that are set and stop packets
 * @param cutOff names of the ROS, DCMs and hosts behind it if it is down, so that no packet reaches them
 * @param unlisted whether its switch does not list it over OpenFlow, though its Interface says that it is there
 * @param fault what is less than it must be and what to do; empty if nothing is
 */
public record PortState(PortId port, OptionalDouble speed, String duplex, OptionalLong mtu, List<Queue> queues,
        Set<PortBit> bits, SortedSet<String> cutOff, boolean unlisted, String fault) {
    public PortState {
        queues = List.copyOf(queues);
        bits = Set.copyOf(bits);
        cutOff = Collections.unmodifiableSortedSet(cutOff);
    }

    /** A port of which OpenFlow reports nothing amiss. */
    public PortState(PortId port, OptionalDouble speed, String duplex, OptionalLong mtu, List<Queue> queues,
            String fault) {
        this(port, speed, duplex, mtu, queues, Set.of(), Collections.emptySortedSet(), false, fault);
    }

    /**
     * A receive queue and the PMD thread that polls it; a thread is known by its processor.
     *
     * @param core the processor
     * @param numa the processor's NUMA node
     * @param busy per cent of the thread's time that the queue took in the last minute
     * @param threadBusy per cent of the time in which the thread had something to do
     */
    public record Queue(int id, int core, int numa, int busy, int threadBusy) {
    }
}
