package org.daqfabric.api.spec;

/** What the operator wants of a switch or link. */
public enum AdminState {
    IN_SERVICE,
    /** Everything is moved off it; it stays connected and configured. */
    DRAINED
}
