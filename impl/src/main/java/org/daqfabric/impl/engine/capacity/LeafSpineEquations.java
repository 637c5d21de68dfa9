package org.daqfabric.impl.engine.capacity;

/**
 * Equations (6.1) to (6.5) of the thesis: the event bandwidth of a regular parallel leaf-spine fabric without failures
 * with no rounding for whole DCMs.
 *
 * @param planes N_P, from 1
 * @param spines N_S per plane, from 1
 * @param pods N_pod, from 1
 * @param ros N_R in all pods together, from 1; need not be a multiple of the pods, as in the equations
 * @param racks N_H in all pods together, from 1
 * @param linkCapacity b of every link, Gbps
 */
public record LeafSpineEquations(int planes, int spines, int pods, int ros, int racks, double linkCapacity) {
    /** B = N_P N_H N_R b_RH: Gbps arriving at all racks together. */
    public double bandwidth() {
        return planes * (double) racks * ros * flowBandwidth();
    }

    /** b_RH, (6.1): Gbps from one ROS to one rack in one plane. */
    public double flowBandwidth() {
        return Math.min(Math.min(linkCapacity / ros, linkCapacity / racks), flowBandwidthBetweenPods());
    }

    /** b_RH,interpod, (6.2) with (6.3): Gbps of such a flow that the spines allow; unlimited in a single pod. */
    public double flowBandwidthBetweenPods() {
        return pods == 1 ? Double.POSITIVE_INFINITY
            : linkCapacity * spines * pods * pods / ((double) ros * racks * (pods - 1));
    }

    /** First half of (6.5): spines per plane above which the rack uplinks are the limit, not the spines. */
    public double spinesForRacks() {
        return spinesFor(racks);
    }

    /** Second half of (6.5): spines per plane above which the ROS uplinks could be the limit. */
    public double spinesForRos() {
        return spinesFor(ros);
    }

    /**
     * Least number of spines per plane with which the spines are not the limit. (6.4) reads as if both halves of (6.5)
     * had to hold, but the smaller one is enough, as the text after it says.
     */
    public int spinesNeeded() {
        return Math.max(1, (int) Math.ceil(Math.min(spinesForRacks(), spinesForRos())));
    }

    private double spinesFor(int edges) {
        return (double) edges * (pods - 1) / ((double) pods * pods);
    }
}
