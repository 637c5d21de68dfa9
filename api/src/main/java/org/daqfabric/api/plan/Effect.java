package org.daqfabric.api.plan;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.daqfabric.api.placement.Capacity;

/**
 * What a change or failures would do.
 *
 * @param messages rules and groups sent to all switches together
 * @param switches those that are sent something or whose bridge changes, ordered by name
 * @param moved ordered by DCM
 * @param cutOff DCMs that not every ROS reaches then, ordered by name
 */
public record Effect(int messages, List<SwitchChange> switches, List<Move> moved, List<CutOff> cutOff,
        Capacity before, Capacity after) {
    public Effect {
        switches = List.copyOf(switches);
        moved = List.copyOf(moved);
        cutOff = List.copyOf(cutOff);
    }

    /** How many things of a kind a switch has then and not now, has otherwise, and has now and not then. */
    public record Count(int added, int changed, int removed) {
        public static final Count NONE = new Count(0, 0, 0);
    }

    public enum BridgeChange {
        ADDED,
        /** With all it holds, which takes no messages. */
        REMOVED
    }

    /**
     * One switch.
     *
     * @param bridge empty if it stays
     * @param ports those that are no daqrings
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
