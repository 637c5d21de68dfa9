package org.daqfabric.api.run;

/** How well a fabric serves a partition; later ones are worse. */
public enum Health {
    /** Every switch and link that the partition needs is there. */
    OK,
    /** Something is missing, but every enabled DCM is reached by every enabled ROS with the required bandwidth. */
    DEGRADED,
    /** Bandwidth is below what is required, or an enabled DCM or ROS is cut off. */
    INSUFFICIENT;

    public Health worse(Health other) {
        return compareTo(other) < 0 ? other : this;
    }
}
