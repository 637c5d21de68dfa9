package org.daqfabric.api.program;

import java.util.List;
import java.util.OptionalInt;

/**
 * A group: fast failover takes the first bucket whose watched port or group is alive.
 *
 * @param id identifier in the switch
 */
public record Group(int id, Type type, List<Bucket> buckets) {
    /** The highest byte of the id of every group that is ours. */
    public static final int ID_MARK = 0xda;

    public enum Type { FAST_FAILOVER, INDIRECT, OTHER }

    public Group {
        buckets = List.copyOf(buckets);
    }

    /** Whether a group with this id was made by this application. */
    public static boolean ours(int id) {
        return id >>> 24 == ID_MARK;
    }

    /**
     * One way out of a group.
     *
     * @param watchPort OpenFlow number of the port that must be alive
     * @param watchGroup group that must have a live bucket
     */
    public record Bucket(OptionalInt watchPort, OptionalInt watchGroup, List<Action> actions) {
        public Bucket {
            actions = List.copyOf(actions);
        }

        /** Out by a port while that port is alive. */
        public static Bucket out(int port) {
            return new Bucket(OptionalInt.of(port), OptionalInt.empty(), List.of(new Action.Output(port)));
        }
    }
}
