package org.daqfabric.bench;

import java.util.concurrent.TimeUnit;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.UnusableLinks;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** {@link PlaceBenchmark} with granularity {@code pod}; by itself, as a second large fabric would take heap. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class PodPlaceBenchmark {
    @Param({"prototype", "fig64", "atlas", "lhcb", "huge"})
    private String fabric;
    private Case subject;
    private UnusableLinks linkDown;

    @Setup
    public void setUp() {
        subject = Case.byPod(fabric);
        linkDown = subject.linkDown();
    }

    @Benchmark
    public Placement placeByPod() {
        return subject.place();
    }

    @Benchmark
    public Placement repairLinkByPod() {
        return subject.repaired(linkDown);
    }
}
