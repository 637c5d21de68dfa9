package org.daqfabric.impl.engine.place;

/**
 * A priority queue of the spines of one plane for the addresses of one pod: first the spine whose links would be least
 * loaded with the next address, of equals the one that is primary for fewest addresses, then by position. While
 * addresses are only assigned, loads only rise; a key is then refreshed only when its spine comes first, so the next
 * spine is found in logarithmic time.
 */
final class SpineQueue {
    final int plane;
    private final PlacementState state;
    private final PlaneChoice[] choices;
    /** {@link PlacementModel#spineLinks} of each choice's spine. */
    private final int[] spineLinks;
    /** Positions in {@link #choices}, a binary heap. */
    private final int[] heap;
    /** The key of each choice when last refreshed: loads of the links to and from the spine, and its addresses. */
    private final double[] higherLoad;
    private final double[] lowerLoad;
    private final int[] primaryCount;
    /** For what the heap was built: the weight of addresses, and {@link PlacementState#unassignments}. */
    private double weight = Double.NaN;
    private long unassignments = -1;

    SpineQueue(PlacementState state, PlaneChoice[] choices) {
        this.state = state;
        this.choices = choices;
        plane = choices[0].plane();
        spineLinks = new int[choices.length];
        for (int at = 0; at < spineLinks.length; at++) {
            spineLinks[at] = state.model.spineLinks(plane, choices[at].spine());
        }
        heap = new int[choices.length];
        higherLoad = new double[choices.length];
        lowerLoad = new double[choices.length];
        primaryCount = new int[choices.length];
    }

    /** The least loaded choice for the address that {@link PlacementState#preparePlane} was called with. */
    PlaneChoice leastLoaded(double addressWeight) {
        if (addressWeight != weight || state.unassignments() != unassignments) {
            weight = addressWeight;
            unassignments = state.unassignments();
            rebuild();
        }
        while (refresh(heap[0])) {
            siftDown(0);
        }
        return choices[heap[0]];
    }

    private void rebuild() {
        for (int at = 0; at < heap.length; at++) {
            heap[at] = at;
            refresh(at);
        }
        for (int place = heap.length / 2 - 1; place >= 0; place--) {
            siftDown(place);
        }
    }

    /** Updates the key of a choice; returns whether it changed. */
    private boolean refresh(int at) {
        double down = state.spineDownlinkLoad(spineLinks[at]);
        double up = state.spineUplinkLoad(spineLinks[at]);
        double higher = Math.max(down, up);
        double lower = Math.min(down, up);
        int count = state.primaryCount(choices[at]);
        final boolean changed = higher != higherLoad[at] || lower != lowerLoad[at] || count != primaryCount[at];
        higherLoad[at] = higher;
        lowerLoad[at] = lower;
        primaryCount[at] = count;
        return changed;
    }

    private void siftDown(int from) {
        int moving = heap[from];
        int place = from;
        for (int child = 2 * place + 1; child < heap.length; child = 2 * place + 1) {
            if (child + 1 < heap.length && isBefore(heap[child + 1], heap[child])) {
                child++;
            }
            if (!isBefore(heap[child], moving)) {
                break;
            }
            heap[place] = heap[child];
            place = child;
        }
        heap[place] = moving;
    }

    private boolean isBefore(int one, int other) {
        int order = RelativeLoad.compare(higherLoad[one], higherLoad[other]);
        if (order == 0) {
            order = RelativeLoad.compare(lowerLoad[one], lowerLoad[other]);
        }
        if (order == 0) {
            order = Integer.compare(primaryCount[one], primaryCount[other]);
        }
        return order == 0 ? one < other : order < 0;
    }
}
