package org.daqfabric.impl.controller.spi;

import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Consumer;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.placement.Route;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.proof.PairReport;
import org.daqfabric.impl.engine.proof.SilentParts;
import org.daqfabric.impl.engine.topology.LinkDirection;
import org.daqfabric.impl.engine.topology.Topology;

/** Sends packets through fabrics all the time, by the rules that data takes, and finds links that carry none. */
public interface PathProver {
    /** Proves nothing. */
    PathProver NONE = (fabric, silent, pairs) -> new Watch() {
        @Override
        public void follow(Scene scene) {
            // nobody asks
        }

        @Override
        public Set<LinkDirection> slow() {
            return Set.of();
        }

        @Override
        public void close() {
            // nothing was begun
        }
    };

    /**
     * Begins with a fabric.
     *
     * @param silent receives what carries no packets whenever that has changed, on any thread
     * @param pairs receives what is known of ROS and DCMs whenever it has changed, and every minute, on any thread
     */
    Watch watch(String fabric, Consumer<SilentParts> silent, Consumer<PairReport> pairs);

    /** One fabric, until it is closed. Its methods return at once. */
    interface Watch extends AutoCloseable {
        /** The fabric is like this now. */
        void follow(Scene scene);

        /** Directions of links in which packets take long, in some of their chains. */
        Set<LinkDirection> slow();

        @Override
        void close();
    }

    /**
     * What packets are sent through.
     *
     * @param routes the route of each address that is placed; one that has another route now is proven first
     * @param programs what the switches hold
     * @param unusable links that are not used
     * @param silent those among them that are up, and not used only because packets did not pass
     * @param mtu largest IP packet of the ports, bytes; empty if none is configured
     */
    record Scene(Topology topology, SortedMap<Address, Route> routes, PortNumbers numbers,
            Map<String, Program> programs, UnusableLinks unusable, Set<PortId> silent, OptionalInt mtu) {
    }
}
