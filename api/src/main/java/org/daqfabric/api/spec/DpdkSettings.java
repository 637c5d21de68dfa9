package org.daqfabric.api.spec;

import java.math.BigInteger;
import java.util.BitSet;
import java.util.Optional;

/**
 * What the Open vSwitch of a node needs for ports that it polls.
 *
 * @param socketMem megabytes for each NUMA node, as {@code 2048,2048}
 * @param pmdCpus processors of the threads that poll, as {@code 2,4-7}
 * @param lcoreCpus processors of DPDK's other threads
 * @param extra further arguments of DPDK's start
 */
public record DpdkSettings(Optional<String> socketMem, Optional<String> pmdCpus, Optional<String> lcoreCpus,
        Optional<String> extra) {
    public static final DpdkSettings NONE =
        new DpdkSettings(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    /** Above the highest processor of any machine. */
    private static final int MOST_CPUS = 1024;
    private static final int HEX = 16;

    /**
     * The mask of processors that are listed as {@code 2,4-7}, in hexadecimal.
     *
     * @throws IllegalArgumentException if a number is above 1023 or a range ends before it begins
     */
    public static String mask(String cpus) {
        BitSet set = new BitSet();
        for (String range : cpus.split(",")) {
            String[] ends = range.split("-");
            int first = Integer.parseInt(ends[0]);
            int last = Integer.parseInt(ends[ends.length - 1]);
            if (last < first || last >= MOST_CPUS) {
                throw new IllegalArgumentException("'" + range + "' is no range of processors from 0 to "
                    + (MOST_CPUS - 1));
            }
            set.set(first, last + 1);
        }
        byte[] little = set.toByteArray();
        byte[] big = new byte[little.length];
        for (int at = 0; at < little.length; at++) {
            big[little.length - 1 - at] = little[at];
        }
        return "0x" + new BigInteger(1, big).toString(HEX);
    }
}
