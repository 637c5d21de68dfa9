package org.daqfabric.api.program;

import org.daqfabric.api.spec.Mac;

/** What is done with a packet. */
public sealed interface Action {
    /** The bridge's own port, as OpenFlow 1.3 numbers it. */
    int LOCAL = 0xfffffffe;

    /** Out by a port; never back by the one it came from, which OpenFlow suppresses. */
    record Output(int port) implements Action {
    }

    /** Back by the port it came from. */
    record OutputInPort() implements Action {
    }

    /** Through a group. */
    record ToGroup(int id) implements Action {
    }

    /** Writes the destination MAC. */
    record SetDestinationMac(Mac mac) implements Action {
    }

    /** To the controllers, whole. */
    record ToController() implements Action {
    }

    /** Anything else, found in a switch; never in a program of ours. */
    record Other(String text) implements Action {
    }
}
