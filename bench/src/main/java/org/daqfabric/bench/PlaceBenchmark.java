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

/** Placement of a whole fabric, and after a failure. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class PlaceBenchmark {
    @Param({"prototype", "fig64", "atlas", "lhcb", "huge"})
    private String fabric;
    private Case of;
    private UnusableLinks linkDown;
    private UnusableLinks spineDown;

    @Setup
    public void setUp() {
        of = Case.of(fabric);
        linkDown = of.linkDown();
        spineDown = of.spineDown();
    }

    @Benchmark
    public Placement place() {
        return of.place();
    }

    @Benchmark
    public Placement repairLink() {
        return of.repaired(linkDown);
    }

    @Benchmark
    public Placement repairSpine() {
        return of.repaired(spineDown);
    }
}
