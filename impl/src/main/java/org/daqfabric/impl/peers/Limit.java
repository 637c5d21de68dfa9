package org.daqfabric.impl.peers;

import java.util.Locale;

/** What a peer is refused for. */
public enum Limit {
    /** There are as many connections as the controller has places for, and others are more wanted. */
    CONNECTIONS,
    /** There are as many connections of peers that have not said who they are. */
    STRANGERS,
    /** There are as many connections of peers that said who they are and belong to no fabric. */
    UNWANTED,
    /** The address has as many connections that are not wanted. */
    ADDRESS,
    /** The address connects too often. */
    ARRIVALS,
    /** It did not say in time who it is. */
    TIME,
    /** It sent more before it had said who it is than that takes, or a message too large, or what is no message. */
    MESSAGE,
    /** It answered with more than a switch can have. */
    ANSWER,
    /** It has more ports than a switch can have. */
    PORTS,
    /** It does not read what is sent to it. */
    UNREAD,
    /** All peers together make the controller hold too much, and it holds the most. */
    MEMORY;

    /** As a label of metrics. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
