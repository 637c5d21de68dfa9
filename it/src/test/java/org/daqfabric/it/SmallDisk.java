package org.daqfabric.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A small file system in memory for a folder, which fills and is made smaller or larger while it is used. It is in the
 * test's own list of mounts ({@code it/isolated/bin/java}), and ends with it at the latest. Needs root.
 */
final class SmallDisk implements AutoCloseable {
    private final Path folder;
    private final int size;
    private final Path ballast;

    /**
     * Mounts it.
     *
     * @param folder is made if it is not there
     * @param size MiB
     */
    SmallDisk(final Path folder, final int size) {
        this.folder = folder;
        this.size = size;
        ballast = folder.resolve("ballast");
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Processes.run(List.of("mount", "-t", "tmpfs", "-o", "size=" + size + "m", "daqfabric-small",
            folder.toString())).orFail();
    }

    /** Writes a file of so many MiB. */
    void fill(final int ofIt) {
        Processes.run(List.of("fallocate", "-l", ofIt + "MiB", ballast.toString())).orFail();
    }

    /** Removes what {@link #fill} has written, if it is there. */
    void empty() throws IOException {
        Files.deleteIfExists(ballast);
    }

    /** As it was at first, but for what others have written. */
    void reset() throws IOException {
        empty();
        resize(size);
    }

    /** Makes it smaller or larger, to so many MiB: less than it holds is refused. */
    void resize(final int now) {
        Processes.run(List.of("mount", "-o", "remount,size=" + now + "m", folder.toString())).orFail();
    }

    /** Takes it away, also while a process that is killed still ends. */
    @Override
    public void close() {
        Processes.run(List.of("umount", "-l", folder.toString())).orFail();
    }
}
