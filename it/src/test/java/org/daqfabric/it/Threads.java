package org.daqfabric.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** What the threads of a process that does not go on are doing. */
final class Threads {
    /** Of Karaf's that install, uninstall, start and stop. */
    private static final List<String> TOLD = List.of("\"features-", "\"Framework", "\"FelixStartLevel", "\"Start Level",
        "\"SCR ", "\"CM ", "\"sshd-SshServer", "\"Karaf ", "\"activator", "\"Active Thread: Equinox");
    private static final int FRAMES = 25;

    private Threads() {
    }

    /** Writes all stacks of a process to a file. Returns in one line a deadlock, and those that concern bundles. */
    static String report(final long pid, final Path file) {
        final var jcmd = Path.of(System.getProperty("java.home"), "bin/jcmd");
        final var all = Processes.run(List.of(jcmd.toString(), Long.toString(pid), "Thread.print", "-l")).output();
        try {
            Files.writeString(file, all);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        final var threads = Arrays.stream(all.split("\n\n"))
            .filter(thread -> TOLD.stream().anyMatch(thread::startsWith) || thread.contains("java-level deadlock")
                || thread.contains("java.lang.Thread.State: BLOCKED"))
            .map(thread -> thread.lines().limit(FRAMES).map(String::strip).collect(Collectors.joining("; ")));
        return threads.collect(Collectors.joining(" -- ")) + "; see " + file;
    }
}
