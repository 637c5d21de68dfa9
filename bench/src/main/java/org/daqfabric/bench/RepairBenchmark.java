package org.daqfabric.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.daqfabric.api.state.FabricState.Repair;
import org.daqfabric.impl.engine.topology.Segment;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A whole repair on switches that answer at once: from the port events until every switch has confirmed everything and
 * nothing is left to do. It measures the part of the controller.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class RepairBenchmark {
    @Param({"prototype", "fig64", "atlas"})
    private String fabric;
    /** What fails, see {@link Case#failing}. */
    @Param({"link", "spine", "leaf", "plane"})
    private String failing;
    private Controlled controlled;
    private List<Segment> links;

    @Setup
    public void setUp() {
        controlled = new Controlled(Case.spec(fabric));
        links = Case.failing(controlled.topology, failing);
    }

    @Benchmark
    public int repair() {
        return controlled.cut(links);
    }

    @TearDown(Level.Invocation)
    public void restore() {
        controlled.restore(links);
    }

    /** Prints the times of single repairs. Arguments: fabric, what fails, number of repairs. */
    public static void main(String... arguments) {
        Controlled controlled = new Controlled(Case.spec(arguments[0]));
        List<Segment> links = Case.failing(controlled.topology, arguments[1]);
        for (int count = Integer.parseInt(arguments[2]); count > 0; count--) {
            ThreadMXBean threads = ManagementFactory.getThreadMXBean();
            long cpu = threads.getCurrentThreadCpuTime();
            long before = System.nanoTime();
            int messages = controlled.cut(links);
            long took = System.nanoTime() - before;
            cpu = threads.getCurrentThreadCpuTime() - cpu;
            Repair repair = controlled.state().lastRepair().orElseThrow();
            System.out.printf("computed %.1f confirmed %.1f all %.1f (CPU %.1f) ms, %d DCMs moved, "
                + "%d messages for it, %d in all%n",
                ms(Duration.between(repair.detected(), repair.computed())),
                ms(Duration.between(repair.detected(), repair.confirmed().orElseThrow())), took / 1e6, cpu / 1e6,
                repair.movedDcms(), repair.messages(), messages);
            controlled.restore(links);
        }
    }

    private static double ms(Duration duration) {
        return duration.toNanos() / 1e6;
    }
}
