package org.daqfabric.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.impl.engine.TestFabrics;

/**
 * How times and memory grow with the size of a fabric. Each dimension of a medium fabric is varied by itself. Prints
 * JSON, one line per fabric, with medians of CPU time in milliseconds and the heap in bytes that all programs take.
 */
public final class Growth {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int MEASURED_RUNS = 15;
    private static final int WARM_UP_RUNS = 150;

    /** What is varied, its sizes, and the fabric of a size. */
    private record Dimension(String name, int[] sizes, IntFunction<FabricSpec> fabric) {
    }

    private static final List<Dimension> DIMENSIONS = List.of(
        new Dimension("DCMs per rack", new int[] {5, 10, 20, 40, 80},
            size -> TestFabrics.regular("growth", 2, 6, 4, 25, 7, size)),
        new Dimension("racks per pod", new int[] {2, 4, 7, 14, 28},
            size -> TestFabrics.regular("growth", 2, 6, 4, 25, size, 20)),
        new Dimension("ROS per pod", new int[] {5, 10, 25, 50, 100},
            size -> TestFabrics.regular("growth", 2, 6, 4, size, 7, 20)),
        new Dimension("spines per plane", new int[] {2, 4, 8, 16, 32},
            size -> TestFabrics.regular("growth", 2, size, 4, 25, 7, 20)),
        new Dimension("planes", new int[] {1, 2, 3, 4, 6},
            size -> TestFabrics.regular("growth", size, 6, 4, 25, 7, 20)),
        new Dimension("pods", new int[] {2, 4, 6, 8, 12},
            size -> TestFabrics.regular("growth", 2, 6, size, 25, 7, 20)));

    private Growth() {
    }

    /** Measures all dimensions, or if fabrics are named only the memory of these. */
    public static void main(String... fabrics) {
        for (String fabric : fabrics) {
            memory(fabric, Case.of(fabric));
        }
        if (fabrics.length == 0) {
            Case medium = Case.of(TestFabrics.regular("growth", 2, 6, 4, 25, 7, 20));
            for (int count = 0; count < WARM_UP_RUNS; count++) {
                medium.place();
                medium.repaired(medium.linkDown());
                medium.programs(UnusableLinks.ALL_UP, medium.placement);
            }
        }
        for (Dimension dimension : fabrics.length > 0 ? List.<Dimension>of() : DIMENSIONS) {
            for (int size : dimension.sizes()) {
                measure(dimension.name(), size, Case.of(dimension.fabric().apply(size)));
            }
        }
    }

    private static void measure(String dimension, int size, Case subject) {
        UnusableLinks down = subject.linkDown();
        Map<String, Program> programs = subject.programs(UnusableLinks.ALL_UP, subject.placement);
        System.out.printf("{\"dimension\": \"%s\", \"size\": %d, \"dcms\": %d, \"rules\": %d, \"place\": %.3f, "
            + "\"repair\": %.3f, \"compile\": %.3f, \"bytes\": %d}%n", dimension, size, subject.topology.dcms().size(),
            rules(programs), median(subject::place), median(() -> subject.repaired(down)),
            median(() -> subject.programs(UnusableLinks.ALL_UP, subject.placement)), bytes(subject));
    }

    private static void memory(String fabric, Case subject) {
        int rules = rules(subject.programs(UnusableLinks.ALL_UP, subject.placement));
        long bytes = bytes(subject);
        System.out.printf("{\"fabric\": \"%s\", \"dcms\": %d, \"rules\": %d, \"bytes\": %d, \"bytes-per-rule\": %.1f, "
            + "\"bytes-per-dcm\": %.0f}%n", fabric, subject.topology.dcms().size(), rules, bytes,
            (double) bytes / rules, (double) bytes / subject.topology.dcms().size());
    }

    private static int rules(Map<String, Program> programs) {
        return programs.values().stream().mapToInt(program -> program.rules().size()).sum();
    }

    private static double median(Supplier<Object> task) {
        double[] times = new double[MEASURED_RUNS];
        for (int count = -MEASURED_RUNS; count < MEASURED_RUNS; count++) {
            long begin = THREADS.getCurrentThreadCpuTime();
            if (task.get() == null) {
                throw new IllegalStateException();
            }
            times[Math.max(count, 0)] = (THREADS.getCurrentThreadCpuTime() - begin) / 1e6;
        }
        Arrays.sort(times);
        return times[MEASURED_RUNS / 2];
    }

    /** The heap that the programs of a fabric take. */
    private static long bytes(Case subject) {
        long before = usedHeap();
        Map<String, Program> programs = subject.programs(UnusableLinks.ALL_UP, subject.placement);
        long after = usedHeap();
        if (programs.isEmpty()) {
            throw new IllegalStateException();
        }
        return after - before;
    }

    private static long usedHeap() {
        for (int times = 0; times < 3; times++) {
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
