package org.daqfabric.impl.northbound.views;

/**
 * A link in one direction that works, named after the port it begins at.
 *
 * @param from the id of the port it begins at, and its own
 */
record Cable(String fromNode, String from, String toNode, String to) {
    String id() {
        return from;
    }
}
