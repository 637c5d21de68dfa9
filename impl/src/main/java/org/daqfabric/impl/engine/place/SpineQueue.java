package org.daqfabric.impl.engine.place;

/**
 * The spines of one plane, in the order in which the addresses of a pod fill them: first the one on whose links they meet
 * least, of equals the one with fewest addresses, then by position. While addresses are only put somewhere, what they meet
 * rises; a spine then need be looked at again only when it comes first, so that the next one is found in logarithmic time.
 */
final class SpineQueue {
    final int plane;
    private final PlacementState loading;
    private final PlaneChoice[] stages;
    private final int[] links;
    /** Positions in {@link #stages}, a binary heap. */
    private final int[] heap;
    /** Of each stage as last looked at: the loads on the links from and to the spine, and its addresses. */
    private final double[] high;
    private final double[] low;
    private final int[] users;
    private double weight = Double.NaN;
    private long falls = -1;

    SpineQueue(PlacementState loading, PlaneChoice[] stages) {
        this.loading = loading;
        this.stages = stages;
        plane = stages[0].plane();
        links = new int[stages.length];
        for (int at = 0; at < links.length; at++) {
            links[at] = loading.problem.spineLinks(plane, stages[at].spine());
        }
        heap = new int[stages.length];
        high = new double[stages.length];
        low = new double[stages.length];
        users = new int[stages.length];
    }

    /** The first for an address of that weight; loads must be aimed at the plane with it. */
    PlaneChoice first(double of) {
        if (of != weight || loading.falls() != falls) {
            weight = of;
            falls = loading.falls();
            fill();
        }
        while (look(heap[0])) {
            sink(0);
        }
        return stages[heap[0]];
    }

    private void fill() {
        for (int at = 0; at < heap.length; at++) {
            heap[at] = at;
            look(at);
        }
        for (int place = heap.length / 2 - 1; place >= 0; place--) {
            sink(place);
        }
    }

    /** Looks at a stage; says whether anything is new. */
    private boolean look(int at) {
        double down = loading.down(links[at]);
        double up = loading.up(links[at]);
        double highest = Math.max(down, up);
        double lowest = Math.min(down, up);
        int count = loading.users(stages[at]);
        boolean isNew = highest != high[at] || lowest != low[at] || count != users[at];
        high[at] = highest;
        low[at] = lowest;
        users[at] = count;
        return isNew;
    }

    private void sink(int from) {
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
        int order = RelativeLoad.compare(high[one], high[other]);
        if (order == 0) {
            order = RelativeLoad.compare(low[one], low[other]);
        }
        if (order == 0) {
            order = Integer.compare(users[one], users[other]);
        }
        return order == 0 ? one < other : order < 0;
    }
}
