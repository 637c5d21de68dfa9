package org.daqfabric.api.program;

import org.daqfabric.api.spec.Mac;

/** One action of OpenFlow on a packet. */
public sealed interface Action {
    /** The bridge's own port, as OpenFlow 1.3 numbers it. */
    int LOCAL = 0xfffffffe;

    /** Output to a port; OpenFlow suppresses it where the port is the in-port. */
    record Output(int port) implements Action {
    }

    /** Back by the in-port. */
    record OutputInPort() implements Action {
    }

    /** Through a group. */
    record ToGroup(int id) implements Action {
    }

    /** Writes the destination MAC. */
    record SetDestinationMac(Mac mac) implements Action {
    }

    /**
     * Writes the code point by which ports choose the queue of a packet (RFC 2474).
     *
     * @param dscp 0..63
     */
    record SetDscp(int dscp) implements Action {
    }

    /** To the controllers, whole. */
    record ToController() implements Action {
    }

    /** Any other action, read from a switch; never in a compiled program. */
    record Other(String text) implements Action {
    }
}
