package org.daqfabric.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The programs of a distribution, run in its folder with the Java of controllers.
 *
 * @param home the distribution
 * @param suspect what may be the reason when a program hangs: what the controller does
 */
record Programs(Path home, Supplier<String> suspect) {
    /** A command that takes longer hangs: Karaf itself ends its shell only after half an hour. */
    private static final Duration LIMIT = Duration.ofMinutes(3);

    /** Runs one of them, such as {@code bin/ports}, and returns what it printed. */
    String run(final String program, final String... arguments) {
        return runWithInput("", program, arguments);
    }

    String runWithInput(final String input, final String program, final String... arguments) {
        final var command = new ArrayList<>(Arrays.asList(arguments));
        command.addFirst(home.resolve(program).toString());
        final var builder = new ProcessBuilder(command).directory(home.toFile()).redirectErrorStream(true);
        builder.environment().putAll(environment());
        try {
            final var running = builder.start();
            try (var stdin = running.getOutputStream()) {
                stdin.write(input.getBytes());
            }
            final var output = CompletableFuture.supplyAsync(() -> text(running));
            if (!running.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                final var why = suspect.get();
                running.destroyForcibly();
                throw new AssertionError(String.join(" ", command) + " with '" + input + "' takes longer than "
                    + LIMIT + ", so far: " + output.join() + "; " + why);
            }
            if (running.exitValue() != 0) {
                throw new AssertionError(String.join(" ", command) + " failed: " + output.join());
            }
            return output.join();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String text(final Process running) {
        try {
            return new String(running.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Names the Java that {@code scripts/setup} found for the controller, else the one that runs the tests. */
    static Map<String, String> environment() {
        var java = System.getenv("DAQ_JAVA");
        final var found = Distribution.projectRoot().resolve(".cache/env.sh");
        if (java == null && Files.exists(found)) {
            try {
                java = Files.readAllLines(found).stream().filter(line -> line.startsWith("DAQ_JAVA="))
                    .map(line -> line.substring("DAQ_JAVA=".length())).findFirst().orElse(null);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return Map.of("JAVA_HOME", java == null ? System.getProperty("java.home") : java);
    }
}
