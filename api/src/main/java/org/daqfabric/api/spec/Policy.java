package org.daqfabric.api.spec;

import java.util.Collections;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The operator's choices of how the fabric operates.
 *
 * @param mtu largest IP packet, bytes, 576 to 65535, which every port is given; empty if ports keep what they have
 */
public record Policy(Placement placement, Daqring daqring, Protection protection, Rules rules, OptionalInt mtu) {
    /** Of a fabric whose ports keep the MTU that they have. */
    public Policy(Placement placement, Daqring daqring, Protection protection, Rules rules) {
        this(placement, daqring, protection, rules, OptionalInt.empty());
    }

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

    /** What has a spine, and a plane, of its own. */
    public enum Granularity {
        /** Every DCM. */
        DCM,
        /** Every DCM for each pod that packets come from. */
        POD
    }

    public record Placement(Algorithm algorithm, Return onReturn, Granularity granularity) {
        /** By DCM. */
        public Placement(Algorithm algorithm, Return onReturn) {
            this(algorithm, onReturn, Granularity.DCM);
        }

        /** Whether packets to a DCM may take other spines and planes from each pod; round robin knows DCMs only. */
        public boolean byPod() {
            return granularity == Granularity.POD && algorithm == Algorithm.WATERFILLING;
        }
    }

    /** Which switches hold daqrings. */
    public enum RingsOn { ALL_SWITCHES, DESTINATION_LEAF, NONE }

    /** What implements a daqring. */
    public enum Backend { DAQRING, NONE }

    /**
     * The daqrings (thesis 5.5.1).
     *
     * @param options of all that have none of their own
     * @param ofDcms the options of DCMs that have their own, or are in a rack that has
     */
    public record Daqring(RingsOn on, Backend backend, DaqringOptions options,
            SortedMap<Address, DaqringOptions> ofDcms) {
        public Daqring {
            ofDcms = Collections.unmodifiableSortedMap(new TreeMap<>(ofDcms));
        }

        /** The same options for all DCMs. */
        public Daqring(RingsOn on, Backend backend, DaqringOptions options) {
            this(on, backend, options, Collections.emptySortedMap());
        }

        public DaqringOptions of(Address dcm) {
            return ofDcms.getOrDefault(dcm, options);
        }
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
