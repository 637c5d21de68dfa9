package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A small file system in memory for a folder, which fills and is made smaller or larger while it is used. It is in the
 * test's own list of mounts ({@code it/isolated/bin/java}), and ends with it at the latest. Needs root.
 */
final class SmallDisk implements AutoCloseable {
    private static final long MEBI = 1 << 20;
    private static final int PAGE = 4096;

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

    /** Leaves no byte free. It is made smaller first, as what is written takes the machine's memory. */
    void fillUp() throws IOException {
        final var store = Files.getFileStore(folder);
        resize((int) ((store.getTotalSpace() - store.getUnallocatedSpace()) / MEBI) + 2);
        try (var out = Files.newOutputStream(ballast)) {
            while (true) {
                out.write(new byte[PAGE]);
            }
        } catch (FileSystemException e) {
            throw e; // of the file, not of its size
        } catch (IOException e) {
            assertThat(store.getUsableSpace()).as(e.toString()).isZero();
        }
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
