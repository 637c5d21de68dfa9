package org.daqfabric.api.run;

/**
 * Something that is missing or impaired.
 *
 * @param name the switch, ROS or DCM; a link by the end it was declared under; the partition for its bandwidth
 * @param detail what is wrong with it, and what to do
 */
public record Concern(Kind kind, String name, String detail) {
    public enum Kind {
        BANDWIDTH, DCM, ROS, SWITCH, LINK;

        /** Whether it prevents a run. */
        public boolean isSevere() {
            return this == BANDWIDTH || this == DCM || this == ROS;
        }
    }

    @Override
    public String toString() {
        return kind.name().toLowerCase(java.util.Locale.ROOT) + " " + name + ": " + detail;
    }
}
