package org.daqfabric.impl.controller;

import com.google.common.base.Throwables;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

/**
 * Runs the sequences of {@link FaultSequenceTest} and {@link InternalFaultsTest} with fresh seeds for a given time:
 * {@code Fuzz MINUTES [SEED]}. It ends with 1 at the first failure, with the arguments that repeat it: {@code Fuzz KIND
 * SEED CASE}.
 */
final class Fuzz {
    private static final Duration REPORT = Duration.ofMinutes(1);

    /** One fabric with its sequences, by seed and number. */
    private interface Case {
        void run(long seed, int number);
    }

    private record Failure(String kind, int number, Throwable what) {
    }

    private final Map<String, Case> kinds = new LinkedHashMap<>();
    private final Map<String, AtomicInteger> passed = new LinkedHashMap<>();
    private final AtomicReference<Failure> failure = new AtomicReference<>();
    private final PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true);

    private Fuzz() {
        kinds.put("faults", FaultSequenceTest::run);
        kinds.put("few-nodes", (seed, number) -> FaultSequenceTest.run(seed, number,
            FaultSequenceTest::fabricOnFewNodes));
        kinds.put("edits", FaultSequenceTest::runWithEdits);
        kinds.put("irregular", FaultSequenceTest::runIrregular);
        kinds.put("late-store", FaultSequenceTest::runWithLateStore);
        kinds.put("prefixes", (seed, number) -> FaultSequenceTest.run(seed, number, FaultSequenceTest::withPrefixes));
        kinds.put("policy", FaultSequenceTest::changePolicy);
        kinds.put("internal", InternalFaultsTest::run);
        kinds.keySet().forEach(kind -> passed.put(kind, new AtomicInteger()));
    }

    public static void main(String[] arguments) throws InterruptedException {
        Fuzz fuzz = new Fuzz();
        if (arguments.length == 3) {
            fuzz.kinds.get(arguments[0]).run(Long.parseLong(arguments[1]), Integer.parseInt(arguments[2]));
            fuzz.out.println("fuzz: passed");
            return;
        }
        Duration time = Duration.ofSeconds(Math.round(Double.parseDouble(arguments[0]) * 60));
        long seed = arguments.length > 1 ? Long.parseLong(arguments[1]) : System.currentTimeMillis() % 1_000_000_000;
        System.exit(fuzz.run(time, seed));
    }

    private int run(Duration time, long seed) throws InterruptedException {
        out.println("fuzz: seed " + seed);
        final Instant end = Instant.now().plus(time);
        Thread report = new Thread(() -> out.println("fuzz: ended, no failure: " + counts()));
        Runtime.getRuntime().addShutdownHook(report);
        int threads = Runtime.getRuntime().availableProcessors();
        ExecutorService workers = Executors.newFixedThreadPool(threads);
        AtomicInteger next = new AtomicInteger();
        for (int thread = 0; thread < threads; thread++) {
            workers.execute(() -> work(seed, next, end));
        }
        workers.shutdown();
        while (!workers.awaitTermination(REPORT.toSeconds(), TimeUnit.SECONDS)) {
            out.println("fuzz: seed " + seed + ": " + counts());
        }
        Failure found = failure.get();
        if (found == null) {
            return 0;
        }
        Runtime.getRuntime().removeShutdownHook(report);
        out.println(Throwables.getStackTraceAsString(found.what));
        out.println("fuzz: passed before: " + counts());
        out.println("fuzz: failed; again: scripts/fuzz " + found.kind + " " + seed + " " + found.number);
        return 1;
    }

    @SuppressWarnings("checkstyle:illegalCatch") // whatever a case throws is a find
    private void work(long seed, AtomicInteger next, Instant end) {
        List<String> names = new ArrayList<>(kinds.keySet());
        while (failure.get() == null && Instant.now().isBefore(end)) {
            int turn = next.getAndIncrement();
            String kind = names.get(turn % names.size());
            int number = turn / names.size();
            try {
                kinds.get(kind).run(seed, number);
                passed.get(kind).incrementAndGet();
            } catch (RuntimeException | Error e) {
                failure.compareAndSet(null, new Failure(kind, number, e));
            }
        }
    }

    private String counts() {
        return passed.entrySet().stream().map(each -> each.getKey() + " " + each.getValue())
            .collect(Collectors.joining(", ")) + " fabrics";
    }
}
