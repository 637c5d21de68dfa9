package org.daqfabric.api.spec;

/** Whether a switch or link is in service. */
public enum AdminState {
    IN_SERVICE,
    /** No traffic is placed on it; it stays connected and configured. */
    DRAINED
}
