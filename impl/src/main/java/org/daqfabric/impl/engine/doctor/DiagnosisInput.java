package org.daqfabric.impl.engine.doctor;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import org.daqfabric.api.run.PartitionState;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FreeSpace;
import org.daqfabric.api.state.MarkedBridge;
import org.daqfabric.api.state.TrafficMatrix.Weights;

/**
 * What a diagnosis is made from, collected at one time.
 *
 * @param bfd the BFD session of a port, as its node reports it; absent for ports without one and for nodes that
 *     are not connected
 * @param leaving bridges that are still to be removed
 * @param orphans bridges of connected nodes that no configured fabric names and that nobody asked to remove
 * @param claims peers that lately claimed to be a switch over OpenFlow, and were turned away
 * @param refusedPeers peers that were recently refused, by address, with the port and the reason
 * @param unstoredAccounts why the first accounts have no passwords of their own; empty if they have
 * @param disks the file systems that the controller stores into
 * @param lostMembers where the other controllers of the cluster should be that this one cannot reach, by name
 * @param late datapath-ids of the switches that answer late over OpenFlow, and did before their nodes were asked
 */
public record DiagnosisInput(List<ConfiguredFabric> fabrics, List<Listener> listeners, List<Node> nodes,
        Map<PortId, Bfd> bfd, List<Leaving> leaving, List<MarkedBridge> orphans,
        SortedMap<String, String> refusedPeers, List<Claim> claims, List<Certificate> certificates, Machine machine,
        List<Store> stores, List<PartitionState> partitions, String unstoredAccounts, List<FreeSpace> disks,
        SortedMap<String, String> lostMembers, Set<Long> late) {
    /**
     * Where the first accounts have passwords of their own, no file system was looked at, no member is lost, and no
     * switch answers late.
     */
    public DiagnosisInput(List<ConfiguredFabric> fabrics, List<Listener> listeners, List<Node> nodes,
            Map<PortId, Bfd> bfd, List<Leaving> leaving, List<MarkedBridge> orphans,
            SortedMap<String, String> refusedPeers, List<Claim> claims, List<Certificate> certificates, Machine machine,
            List<Store> stores, List<PartitionState> partitions) {
        this(fabrics, listeners, nodes, bfd, leaving, orphans, refusedPeers, claims, certificates, machine, stores,
            partitions, "", List.of(), Collections.emptySortedMap(), Set.of());
    }

    /**
     * A fabric; without state if it has just been configured.
     *
     * @param sinceDrops seconds since the newest episode began in which a daqring dropped packets; infinite if the
     *     state has none
     * @param measured the weights of what it carries, if they were measured
     */
    public record ConfiguredFabric(FabricSpec spec, Optional<FabricState> state, Loop loop, double sinceDrops,
            Optional<Weights> measured) {
        /** A fabric whose weights were not measured. */
        public ConfiguredFabric(FabricSpec spec, Optional<FabricState> state, Loop loop, double sinceDrops) {
            this(spec, state, loop, sinceDrops, Optional.empty());
        }
    }

    /**
     * The event loop of a fabric.
     *
     * @param standing seconds since it ended an event, while others wait; 0 while none does
     * @param failures number of events that threw something since the controller started
     * @param rebuilds how often the loop was replaced because of that
     * @param unstored seconds for which the decision in force has not been stored; 0 if it is
     */
    public record Loop(double standing, long failures, long rebuilds, double unstored) {
        public static final Loop SOUND = new Loop(0, 0, 0, 0);
    }

    public enum Protocol { OVSDB, OPENFLOW }

    /**
     * An address on which the controller is configured to listen.
     *
     * @param loopback whether only this machine can reach it
     * @param open whether the controller listens there; if not, another program has the port
     */
    public record Listener(Protocol protocol, boolean tls, String address, boolean loopback, int port, boolean open) {
    }

    /**
     * A node that is connected over OVSDB, or that a fabric names and the controller tried to reach.
     *
     * @param silent whether it is connected and does not answer
     * @param seen whether it was ever connected since the controller started
     * @param peer its address; empty unless it is connected
     * @param ownAddress the controller's address on that connection; empty unless it is connected
     * @param trouble why its last connection ended, or why there is none; may be empty
     * @param rival another address whose node claims the same system-id; empty if there is none
     * @param openflow each OpenFlow controller set on the node, as the node reports it
     * @param cause what its database says, or said last, that keeps it from the controller
     */
    public record Node(String systemId, boolean connected, boolean silent, boolean seen, String peer, String ownAddress,
            boolean ownLoopback, String trouble, String rival, String ovsVersion, Set<String> interfaceTypes,
            List<OpenFlowController> openflow, Optional<Cause> cause) {
        /** Without a known cause. */
        public Node(String systemId, boolean connected, boolean silent, boolean seen, String peer, String ownAddress,
                boolean ownLoopback, String trouble, String rival, String ovsVersion, Set<String> interfaceTypes,
                List<OpenFlowController> openflow) {
            this(systemId, connected, silent, seen, peer, ownAddress, ownLoopback, trouble, rival, ovsVersion,
                interfaceTypes, openflow, Optional.empty());
        }
    }

    /**
     * What a node's database says that keeps it from the controller.
     *
     * @param remedy what to do, with the command
     */
    public record Cause(String what, String remedy) {
    }

    /**
     * A peer that said it is a switch and was not believed.
     *
     * @param address the peer's
     * @param keeper the address that has the datapath-id; empty if none has it
     */
    public record Claim(long datapathId, String address, String keeper, String why) {
    }

    /**
     * A bridge that its fabric has left.
     *
     * @param since when, as text
     */
    public record Leaving(MarkedBridge bridge, String since) {
    }

    /**
     * An OpenFlow controller as a node sees it.
     *
     * @param error why there is no connection, in the words of Open vSwitch; may be empty
     */
    public record OpenFlowController(String target, boolean connected, String error) {
    }

    /**
     * One end of a BFD session.
     *
     * @param state such as {@code up}
     * @param diagnostic why it last went down, in the words of Open vSwitch; may be empty
     */
    public record Bfd(String state, String diagnostic) {
    }

    /**
     * A certificate that TLS uses.
     *
     * @param problem why the files cannot be read now, in which case the rest means nothing; empty if they can
     */
    public record Certificate(String setting, String file, String subject, long daysLeft, String problem) {
    }

    /**
     * The controller's machine.
     *
     * @param heapUsed bytes
     * @param heapMax bytes
     * @param collecting share of the last minute that went into collecting garbage, 0..1
     * @param clockSet seconds by which the system's clock was set forward since the start
     * @param year of the system's clock
     */
    public record Machine(long heapUsed, long heapMax, double collecting, double clockSet, int year) {
    }

    /**
     * A datastore.
     *
     * @param millis that a write without effect took
     * @param error why it could not be written; empty if it could
     * @param ended whether it takes no write any more until the controller is restarted
     */
    public record Store(String name, double millis, String error, boolean ended) {
    }
}
