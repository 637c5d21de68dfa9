package org.daqfabric.impl.engine.schedule;

import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.plan.Schedule;
import org.daqfabric.impl.engine.check.InvalidInputException;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Topology;

/** Computes a {@link Schedule}. */
public final class Scheduler {
    /** Pairs of a ROS and a DCM that a schedule has at most: what is computed and answered within a second. */
    public static final int MOST_PAIRS = 1_000_000;

    private Scheduler() {
    }

    /**
     * The schedule on the paths of a placement.
     *
     * @param generation that of the programs for these paths
     * @throws InvalidInputException if the fabric has more than {@link #MOST_PAIRS} pairs
     */
    public static Schedule of(Topology topology, UnusableLinks unusable, Placement placement, long generation) {
        long dcms = topology.dcms().size();
        long pairs = dcms * (topology.endpoints().size() - dcms);
        if (pairs > MOST_PAIRS) {
            throw new InvalidInputException("fabric", "fabric " + topology.spec().name() + " has " + pairs
                + " pairs of a ROS and a DCM, more than the " + MOST_PAIRS + " that a schedule is made for");
        }
        Transfers all = new Transfers(topology, unusable, placement);
        Bound bound = Bound.of(all);
        int[] phaseOf = Colouring.of(all, bound.phases());
        int phases = IntStream.of(phaseOf).max().orElse(-1) + 1;
        return new Schedule(generation, phases, bound.phases(), bound.by(), all.rate, all.count(), all.withoutPath,
            named(all, phaseOf, phases));
    }

    private static SortedMap<String, List<String>> named(Transfers all, int[] phaseOf, int phases) {
        String[][] names = new String[all.ros.size()][phases];
        for (String[] ofRos : names) {
            Arrays.fill(ofRos, "");
        }
        for (int transfer = 0; transfer < phaseOf.length; transfer++) {
            names[all.rosOf[transfer]][phaseOf[transfer]] = all.dcms.get(all.dcmOf[transfer]).name();
        }
        SortedMap<String, List<String>> named = new TreeMap<>();
        for (int at = 0; at < names.length; at++) {
            Endpoint ros = all.ros.get(at);
            named.put(ros.name(), List.of(names[at]));
        }
        return named;
    }

    /**
     * The number of phases that the busiest node or link needs.
     *
     * @param by what needs them
     */
    private record Bound(int phases, String by) {
        static Bound of(Transfers all) {
            int[] sent = new int[all.nodes];
            int[] received = new int[all.nodes];
            for (int transfer = 0; transfer < all.count(); transfer++) {
                sent[all.source[transfer]]++;
                received[all.target[transfer]]++;
            }
            Bound highest = new Bound(0, "");
            for (int at = 0; at < all.count(); at++) {
                int source = all.source[at];
                int target = all.target[at];
                highest = highest.or(sent[source], all.ros.get(all.rosOf[at]).edge(), " sends");
                highest = highest.or(received[target], all.dcms.get(all.dcmOf[at]).edge(), " receives");
            }
            int[] carried = all.phasesOfLinks();
            for (int link = 0; link < carried.length; link++) {
                highest = highest.or(carried[link], all.linkNames.get(link), "");
            }
            return highest;
        }

        private Bound or(int more, String name, String what) {
            return more > phases ? new Bound(more, name + what) : this;
        }
    }
}
