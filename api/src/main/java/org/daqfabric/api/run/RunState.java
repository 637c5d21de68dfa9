package org.daqfabric.api.run;

/** The state of a partition with regard to runs. */
public enum RunState {
    /** Nothing is prepared. */
    IDLE,
    /** ROS and DCMs are selected and placed; the operation says whether all switches are programmed. */
    PREPARED,
    /** Everything a run needs was there when it was armed. */
    READY,
    /** A run is in progress: the fabric is frozen, and only repaired. */
    RUNNING,
    /** An operation could not be completed. */
    ERROR
}
