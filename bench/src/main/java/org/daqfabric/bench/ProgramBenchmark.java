package org.daqfabric.bench;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.program.Program;
import org.daqfabric.impl.engine.diff.Diff;
import org.daqfabric.impl.engine.diff.Stage;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.trace.Trace;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Compiling programs, comparing them with those after a repair, and tracing packets. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class ProgramBenchmark {
    @Param({"prototype", "fig64", "atlas", "lhcb"})
    private String fabric;
    /** {@code host} or {@code compressed}. */
    @Param("host")
    private String rules;
    private Case subject;
    private Map<String, Program> programs;
    private Map<String, Program> repaired;
    private Trace trace;

    @Setup
    public void setUp() {
        subject = rules.equals("host") ? Case.of(fabric) : Case.compressed(fabric);
        programs = subject.programs(UnusableLinks.ALL_UP, subject.placement);
        UnusableLinks down = subject.linkDown();
        repaired = subject.programs(down, subject.repaired(down));
        trace = new Trace(subject.topology, subject.numbers, programs, Set.of());
    }

    /** The programs of all switches. */
    @Benchmark
    public Object compile() {
        return subject.programs(UnusableLinks.ALL_UP, subject.placement);
    }

    /** The messages of all switches for the repair of a link. */
    @Benchmark
    public int diff() {
        int messages = 0;
        for (Map.Entry<String, Program> entry : programs.entrySet()) {
            for (Stage stage : Stage.values()) {
                messages += Diff.next(entry.getValue(), repaired.get(entry.getKey()), stage).size();
            }
        }
        return messages;
    }

    /** The paths of packets from every ROS to one DCM. */
    @Benchmark
    public int trace() {
        Endpoint dcm = subject.topology.dcms().get(0);
        int arrived = 0;
        for (Endpoint ros : subject.topology.endpoints().values()) {
            arrived += !ros.isDcm() && trace.follow(ros.edge(), dcm.address()).arrived() ? 1 : 0;
        }
        return arrived;
    }
}
