package org.daqfabric.api.alarm;

/** What operators can say of an alarm. */
public enum OperatorState {
    /** Nobody looks after it. */
    NONE,
    /** Somebody looks after it. */
    ACK,
    /** Somebody considers it done with. */
    CLOSED,
    /** It is not to be told until it is un-shelved. */
    SHELVED,
    UN_SHELVED
}
