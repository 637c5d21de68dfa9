package org.daqfabric.api.plan;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.daqfabric.api.placement.Capacity;

/**
 * What a change or failures would do.
 *
 * @param messages rules and groups sent to all switches together
 * @param switches those that would get messages or whose bridge would change, ordered by name
 * @param moved ordered by DCM
 * @param cutOff DCMs that not every ROS would reach, ordered by name
 * @param before what the fabric carries now; of traffic with the weights asked about, if they were measured
 */
public record Effect(int messages, List<SwitchChange> switches, List<Move> moved, List<CutOff> cutOff,
        Capacity before, Capacity after) {
    public Effect {
        switches = List.copyOf(switches);
        moved = List.copyOf(moved);
        cutOff = List.copyOf(cutOff);
    }

    /** How many items of a kind a change adds to a switch, changes there, and removes. */
    public record Count(int added, int changed, int removed) {
        public static final Count NONE = new Count(0, 0, 0);
    }

    public enum BridgeChange {
        ADDED,
        /** Removed with all rules and groups, without messages for them. */
        REMOVED,
        /** Removed and made on another node, under another name or with another datapath type. */
        MOVED
    }

    /**
     * One switch.
     *
     * @param bridge empty if it stays
     * @param ports ports other than daqrings
     * @param messages rules and groups it is sent
     */
    public record SwitchChange(String name, Optional<BridgeChange> bridge, Count rules, Count groups, Count daqrings,
            Count ports, int messages) {
    }

    /**
     * Where a DCM is.
     *
     * @param plane its primary plane
     * @param spine its spine there; empty if it needs none
     */
    public record Place(int plane, OptionalInt spine) {
    }

    /** A DCM that changes plane or spine. */
    public record Move(String dcm, Place from, Place to) {
    }

    /** A DCM, and how many ROS have a path to it. */
    public record CutOff(String dcm, int reachableRos) {
    }
}
