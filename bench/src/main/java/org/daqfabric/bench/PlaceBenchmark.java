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

/** Placement of a whole fabric, and repair after a failure. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class PlaceBenchmark {
    @Param({"prototype", "fig64", "atlas", "lhcb", "huge"})
    private String fabric;
    private Case subject;
    private UnusableLinks linkDown;
    private UnusableLinks spineDown;

    @Setup
    public void setUp() {
        subject = Case.of(fabric);
        linkDown = subject.linkDown();
        spineDown = subject.spineDown();
    }

    @Benchmark
    public Placement place() {
        return subject.place();
    }

    @Benchmark
    public Placement repairLink() {
        return subject.repaired(linkDown);
    }

    @Benchmark
    public Placement repairSpine() {
        return subject.repaired(spineDown);
    }
}
