package org.daqfabric.api.run;

/** Where a partition is in the course of a run. */
public enum RunState {
    /** Nothing is prepared. */
    IDLE,
    /** ROS and DCMs are chosen and placed; the operation tells whether all switches are programmed. */
    PREPARED,
    /** Everything a run needs was there when it was armed. */
    READY,
    /** A run goes on: the fabric is frozen, and only repaired. */
    RUNNING,
    /** Work could not be ended. */
    ERROR
}
