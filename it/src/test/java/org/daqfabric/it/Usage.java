package org.daqfabric.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * The resources that a controller uses.
 *
 * @param heap bytes of live objects after garbage collection
 * @param resident peak resident memory in bytes
 * @param processor CPU time since its start
 * @param descriptors open files and connections
 * @param stored bytes of our data in the datastore, as read over RESTCONF
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

    /**
     * Size of our data as read over RESTCONF: files of OpenDaylight's journal are deleted only when 128 MB are full.
     */
    private static long stored(final Distribution controller) {
        final var restconf = controller.restconf();
        return Stream.of("daqfabric:fabrics", "daqfabric-store:decisions")
            .mapToLong(container -> restconf.get("data/" + container).orFail().body().length()).sum();
    }
}
