package org.daqfabric.impl.engine.planning;

/**
 * Theoretical goodput, (A.9) and (A.12).
 *
 * @param bandwidth B, Gbps
 * @param parallelEvents events collected over it at the same time
 */
public record Goodput(EventTransfer event, double bandwidth, int parallelEvents) {
    private static final double GIGABIT = 1e9;

    public Goodput {
        Range.check("bandwidth", bandwidth, 0.001, 1_000_000);
        Range.check("parallel-events", parallelEvents, 1, 1000);
    }

    /** e_avg / r. */
    public double efficiency() {
        return (double) event.size() / event.wireSize();
    }

    /** G_theory = B e_avg / r, Gbps. */
    public double goodput() {
        return bandwidth * efficiency();
    }

    /** L1r = B / r, Hz. */
    public double eventRate() {
        return eventRate(event, bandwidth);
    }

    /** Data collection latency when nothing is lost, ms: the events one after another, so many r / B. */
    public double latency() {
        return latency(event, bandwidth, parallelEvents);
    }

    static double eventRate(EventTransfer event, double bandwidth) {
        return bandwidth * GIGABIT / (8.0 * event.wireSize());
    }

    static double latency(EventTransfer event, double bandwidth, int parallelEvents) {
        return 1000 * parallelEvents / eventRate(event, bandwidth);
    }

    /** B that an event rate in Hz takes, Gbps. */
    static double bandwidth(EventTransfer event, double eventRate) {
        return eventRate * 8.0 * event.wireSize() / GIGABIT;
    }
}
