package org.daqfabric.it;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The process of a controller, and what Java tells of it from outside. */
record Jvm(Process process) {
    private static final Path JCMD = Path.of(System.getProperty("java.home"), "bin/jcmd");

    long pid() {
        return process.pid();
    }

    boolean runs() {
        return process.isAlive();
    }

    /** Like {@code kill -9}: connections are not closed, nothing is flushed. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Its exit code when it has ended; fails after a minute. */
    int awaitEnd(final Path log) {
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                throw new AssertionError("Not stopped after 60 s, see " + log + "; " + threads());
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return process.exitValue();
    }

    /** What its threads are doing. */
    String threads() {
        return Threads.report(pid(), Distribution.projectRoot().resolve("it/target/threads-" + pid() + ".txt"));
    }

    /** Bytes of live objects after garbage collection; the second collection clears soft references. */
    long liveHeap() {
        jcmd("GC.run");
        final var total = jcmd("GC.class_histogram").lines().filter(line -> line.startsWith("Total ")).findFirst()
            .orElseThrow();
        return Long.parseLong(total.split(" +")[2]);
    }

    private String jcmd(final String command) {
        return Processes.run(List.of(JCMD.toString(), Long.toString(pid()), command)).orFail().output();
    }
}
