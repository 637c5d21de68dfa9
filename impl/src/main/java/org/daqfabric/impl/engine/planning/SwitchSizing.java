package org.daqfabric.impl.engine.planning;

import java.util.List;
import java.util.OptionalDouble;

/**
 * What a leaf and a spine need to carry an event rate, if their ports are DPDK's.
 *
 * @param dcmsPerRack DCMs, each with a daqring at its leaf in every plane and at one spine in every plane
 * @param threadRate million packets per second of a PMD thread; as measured if empty
 * @param threadLoad part of a thread's time to plan for
 */
public record SwitchSizing(FabricSizing sizing, int dcmsPerRack, OptionalDouble threadRate, double threadLoad) {
    /** Receivers acknowledge every second packet. */
    private static final double WITH_ACKNOWLEDGEMENTS = 1.5;
    /** Of a port: Open vSwitch's default for each direction. */
    private static final long DESCRIPTORS = 2 * 2048;
    /** For everything else that runs on the machine. */
    private static final int OTHER_CORES = 1;
    private static final double MILLION = 1e6;

    public SwitchSizing {
        Range.check("dcms-per-rack", dcmsPerRack, 1, 65_535);
        threadRate.ifPresent(rate -> Range.check("thread-rate", rate, 0.001, 1000));
        Range.check("thread-load", threadLoad, 0.01, 1);
    }

    public enum Role { LEAF, SPINE }

    /**
     * The fullest switch of a role.
     *
     * @param packetRate million packets per second that it receives
     * @param threadRate million packets per second of one of its PMD threads
     * @param buffers packets that its daqrings and ports hold at most
     * @param memory bytes of these
     */
    public record Server(Role role, int ports, double packetRate, long daqrings, double threadRate, long threads,
            long buffers, long memory) {
        /** Cores of the machine. */
        public long cores() {
            return threads + OTHER_CORES;
        }
    }

    public List<Server> servers() {
        FabricSize fabric = sizing.fabric();
        int racksOfPod = Math.ceilDiv(fabric.racks(), fabric.pods());
        long dcms = (long) fabric.racks() * dcmsPerRack;
        double toPod = (double) racksOfPod / fabric.racks();
        double fromPod = Math.ceilDiv(fabric.ros(), fabric.pods()) / (double) fabric.ros();
        double fewest = Math.floorDiv(fabric.ros(), fabric.pods());
        double between = fabric.pods() == 1 ? 0 : 1 - fewest / fabric.ros();
        // what its ROS send, and what the spines send to its racks
        double leaf = fromPod + toPod * between;
        return List.of(server(Role.LEAF, fabric.leafPorts(), leaf / fabric.planes(),
            (long) racksOfPod * dcmsPerRack),
            server(Role.SPINE, fabric.pods(), between / (fabric.planes() * fabric.spines()),
            Math.ceilDiv(dcms, fabric.spines())));
    }

    private Server server(Role role, int ports, double part, long daqrings) {
        EventTransfer event = sizing.event();
        double rate = part * sizing.eventRate() * event.frames() * WITH_ACKNOWLEDGEMENTS / MILLION;
        double ofThread = threadRate.orElse(ThreadRates.of(event.mtu(), daqrings));
        long buffers = daqrings * RingSizing.largest(event) + ports * DESCRIPTORS;
        return new Server(role, ports, rate, daqrings, ofThread,
            Math.max(1, Rounding.up(rate / (ofThread * threadLoad))), buffers,
            buffers * RingSizing.packetBuffer(event.mtu()));
    }
}
