package org.daqfabric.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What a controller takes of its machine.
 *
 * @param heap bytes of live objects, once all others are collected
 * @param resident the most memory it ever had, bytes
 * @param processor time since its start
 * @param descriptors open files and connections
 * @param stored bytes of its datastore: journal and snapshots
 */
record Usage(long heap, long resident, Duration processor, int threads, int descriptors, long stored) {
    static Usage of(final Distribution controller) {
        final long heap = controller.liveHeap();
        return new Usage(heap, status(controller, "VmHWM") * 1024, processor(controller),
            (int) status(controller, "Threads"), descriptors(controller), stored(controller));
    }

    static Duration processor(final Distribution controller) {
        return ProcessHandle.of(controller.pid()).flatMap(each -> each.info().totalCpuDuration()).orElseThrow();
    }

    private static long status(final Distribution controller, final String key) {
        try (var lines = Files.lines(proc(controller, "status"))) {
            return Long.parseLong(lines.filter(line -> line.startsWith(key + ":")).findFirst().orElseThrow()
                .replaceAll("[^0-9]", ""));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int descriptors(final Distribution controller) {
        try (var files = Files.list(proc(controller, "fd"))) {
            return (int) files.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path proc(final Distribution controller, final String file) {
        return Path.of("/proc", Long.toString(controller.pid()), file);
    }

    private static long stored(final Distribution controller) {
        // as the disk has it: files of the journal are mostly holes
        final var output = Processes.run(List.of("du", "-sk", controller.home().resolve("state").toString(),
            controller.home().resolve("snapshots").toString())).orFail().output();
        return output.lines().mapToLong(line -> Long.parseLong(line.split("\t")[0])).sum() * 1024;
    }
}
