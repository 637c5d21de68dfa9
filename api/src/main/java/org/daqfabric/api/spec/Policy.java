package org.daqfabric.api.spec;

/** The operator's choices of how the fabric operates. */
public record Policy(Placement placement, Daqring daqring, Protection protection, Rules rules) {
    /** What edge switches hold rules for. */
    public enum Rules {
        /** Every address. */
        HOST,
        /** Prefixes, where addresses that share one are sent the same way. */
        COMPRESSED
    }

    public enum Algorithm {
        /** Onto the least loaded path, heaviest first. */
        WATERFILLING,
        /** Algorithm 6.1 of the thesis, for comparison. */
        ROUND_ROBIN
    }

    /** When a link that returned after a failure is used again. */
    public enum Return { AT_ONCE, BETWEEN_RUNS, MANUAL }

    public record Placement(Algorithm algorithm, Return onReturn) {
    }

    /** Which switches hold daqrings. */
    public enum RingsOn { ALL_SWITCHES, DESTINATION_LEAF, NONE }

    /** What implements a daqring. */
    public enum Backend { DAQRING, NONE }

    /**
     * The daqrings (thesis 5.5.1).
     *
     * @param ringSize packets a ring holds
     * @param maxBurst packets leaving a ring per polling interval
     * @param pollingInterval microseconds; 0 for no limit
     */
    public record Daqring(RingsOn on, Backend backend, int ringSize, int maxBurst, int pollingInterval) {
    }

    /**
     * What switches do after failures without the controller.
     *
     * @param fastFailover whether groups have backup buckets
     * @param bfd whether BFD watches the links
     * @param bfdInterval milliseconds between BFD packets
     */
    public record Protection(boolean fastFailover, boolean bfd, int bfdInterval) {
    }
}
