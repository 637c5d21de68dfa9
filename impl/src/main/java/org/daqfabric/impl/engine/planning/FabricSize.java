package org.daqfabric.impl.engine.planning;

/**
 * A fabric by its numbers, with pods as equal as possible, and the event bandwidth that is left after failures. The
 * bandwidths are upper bounds for every placement: all DCMs that can be reached are served at the same rate, and their
 * traffic can be divided in any proportion.
 *
 * <p>Without a remainder per pod this is (6.1) to (6.3). With one, the fullest pod counts: its share of the traffic is
 * what its links to the spines carry.
 *
 * @param planes N_P
 * @param spines N_S in each plane
 * @param pods N_pod
 * @param ros N_R
 * @param racks N_H
 * @param linkCapacity b, Gbps
 */
public record FabricSize(int planes, int spines, int pods, int ros, int racks, double linkCapacity) {
    /** A single failure. */
    public enum Failure { ROS_UPLINK, RACK_UPLINK, LEAF_SPINE_LINK, SPINE, LEAF }

    /** B without failures, Gbps. */
    public double bandwidth() {
        return planes * ofPlane(spines);
    }

    /** Leaves and spines of all planes. */
    public int switches() {
        return planes * (pods + spines);
    }

    /** Ports of the fullest leaf. */
    public int leafPorts() {
        return fullest(ros) + fullest(racks) + spines;
    }

    /** Event bandwidth after one failure, Gbps. */
    public double without(Failure failure) {
        return switch (failure) {
            // every event needs every ROS: without the last link of one there are no events
            case ROS_UPLINK -> Math.min(bandwidth(), (planes - 1) * ros * linkCapacity);
            case RACK_UPLINK -> withoutRackUplink();
            // a pod with one link fewer to the spines receives and sends what all pods do with one spine fewer
            case LEAF_SPINE_LINK, SPINE -> (planes - 1) * ofPlane(spines) + ofPlane(spines - 1);
            // the ROS of its pod are cut off from the plane, so no events cross it
            case LEAF -> (planes - 1) * ofPlane(spines);
        };
    }

    /** Gbps of a plane that has a number of spines. */
    private double ofPlane(int number) {
        double ofSpines = pods == 1 ? Double.POSITIVE_INFINITY : number * linkCapacity / busiest();
        return Math.min(Math.min(ros, racks) * linkCapacity, ofSpines);
    }

    /**
     * The fullest pod's rack with an uplink less is limited by the uplinks it has; or else the whole pod is, because in
     * the plane of the dead uplink its other racks cannot take all that the spines would give.
     */
    private double withoutRackUplink() {
        double b = linkCapacity;
        double ofSpines = pods == 1 ? Double.POSITIVE_INFINITY : spines * b / (1 - part(ros));
        int n = fullest(racks);
        if (planes == 1) {
            return Math.min(bandwidth(), (racks - 1) * Math.min(b, ofSpines / n));
        }
        double ofRack = (planes - 1) * Math.min(b, ofSpines);
        double ofPod = ((planes - 1) * Math.min(n * b, ofSpines) + Math.min((n - 1) * b, ofSpines)) / n;
        return Math.min(bandwidth(), racks * Math.min(ofRack, ofPod));
    }

    /** The largest part of all traffic that crosses the spines into one pod or out of one. */
    double busiest() {
        double in = (double) fullest(racks) / racks * (1 - part(ros));
        double out = (double) fullest(ros) / ros * (1 - part(racks));
        return Math.max(in, out);
    }

    /** The part that the emptiest pod has of all nodes. */
    private double part(int nodes) {
        int fewest = nodes / pods;
        return (double) fewest / nodes;
    }

    private int fullest(int nodes) {
        return Math.ceilDiv(nodes, pods);
    }
}
