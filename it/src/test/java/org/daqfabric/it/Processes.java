package org.daqfabric.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs programs to completion. */
final class Processes {
    private static final int TIMEOUT = 120; // seconds

    /** Exit code and output of a program. */
    record Outcome(String command, int code, String output, String errors) {
        Outcome orFail() {
            if (code != 0) {
                throw new AssertionError(command + " ended with " + code + ": " + errors + output);
            }
            return this;
        }
    }

    private Processes() {
    }

    static Outcome run(final List<String> command) {
        final var text = String.join(" ", command);
        Path errors = null;
        try {
            errors = Files.createTempFile("daqfabric-it", ".err");
            final var running = new ProcessBuilder(command).redirectError(errors.toFile()).start();
            running.getOutputStream().close();
            final var output = new String(running.getInputStream().readAllBytes());
            if (!running.waitFor(TIMEOUT, TimeUnit.SECONDS)) {
                running.destroyForcibly();
                throw new AssertionError(text + " takes longer than " + TIMEOUT + " s");
            }
            return new Outcome(text, running.exitValue(), output, Files.readString(errors));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        } finally {
            if (errors != null) {
                errors.toFile().delete();
            }
        }
    }
}
