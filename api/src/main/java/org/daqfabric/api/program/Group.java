package org.daqfabric.api.program;

import java.util.List;
import java.util.OptionalInt;

/**
 * A group: fast failover uses the first bucket whose watched port or group is live.
 *
 * @param id identifier in the switch
 */
public record Group(int id, Type type, List<Bucket> buckets) {
    /** The highest byte of the id of every group of this application. */
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
     * One alternative of a group.
     *
     * @param watchPort OpenFlow number of the port that must be live
     * @param watchGroup group that must have a live bucket
     */
    public record Bucket(OptionalInt watchPort, OptionalInt watchGroup, List<Action> actions) {
        public Bucket {
            actions = List.copyOf(actions);
        }

        /** Output to a port while that port is live. */
        public static Bucket out(int port) {
            return new Bucket(OptionalInt.of(port), OptionalInt.empty(), List.of(new Action.Output(port)));
        }
    }
}
