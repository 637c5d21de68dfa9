package org.daqfabric.api.spec;

/**
 * Traffic besides the fragments of events, which one side may send to the other, and be answered.
 *
 * @param from name of what sends: a host, ROS or DCM, an HLT rack for its DCMs, {@link #ALL_DCMS} or {@link #ALL_ROS}
 * @param to name of what receives, as {@code from}
 * @param rate Gbps of all pairs of a sender and a receiver together; 0 if {@code share} says it
 * @param share part of the event bandwidth that all pairs together need, 0..1; 0 if {@code rate} says it
 */
public record Flow(String name, String from, String to, Kind kind, double rate, double share) {
    /** Stands for all DCMs of the fabric. */
    public static final String ALL_DCMS = "all-dcms";
    /** Stands for all ROS of the fabric. */
    public static final String ALL_ROS = "all-ros";

    public enum Kind {
        /** Data that waits as fragments do. */
        EVENTS,
        /** Requests and answers, which do not wait in the daqrings of DCMs. */
        CONTROL
    }
}
