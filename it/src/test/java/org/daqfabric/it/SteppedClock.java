package org.daqfabric.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;

/** The clock of a controller, which a test can set while the controller runs; that of the machine is left alone. */
final class SteppedClock {
    private final Path ahead;

    /** Gives a controller the clock of this machine. Before {@link Distribution#start()}. */
    SteppedClock(final Distribution controller) {
        final var folder = controller.home().resolve("clock");
        ahead = folder.resolve("ahead");
        final var library = folder.resolve("stepped_clock.so").toString();
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        set(Duration.ZERO);
        Processes.run(List.of("gcc", "-Wall", "-Werror", "-O2", "-shared", "-fPIC", "-o", library,
            Distribution.projectRoot().resolve("it/src/test/c/stepped_clock.c").toString(), "-ldl")).orFail();
        controller.variable("LD_PRELOAD", library).variable("STEPPED_CLOCK", ahead.toString());
    }

    /** Sets the clock so that it is ahead of the machine's, in whole seconds. */
    void set(final Duration byWhat) {
        final var seconds = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder())
            .putLong(byWhat.toSeconds()).array();
        try {
            // written into the file that the controller has mapped, not into a new one
            Files.write(ahead, seconds, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
