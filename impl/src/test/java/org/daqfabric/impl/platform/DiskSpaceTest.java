package org.daqfabric.impl.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.TimeUnit;
import org.daqfabric.api.state.FreeSpace;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which file systems are looked at, and what is said of those that do not tell. */
class DiskSpaceTest {
    @TempDir
    private Path home;
    private final SequencedMap<String, Path> folders = new LinkedHashMap<>();
    private final Map<Path, FileStore> stores = new HashMap<>();
    private long nanos;
    private DiskSpace space;

    @BeforeEach
    void begin() {
        for (String name : List.of("data", "state", "snapshots")) {
            folders.put(name, home.resolve(name));
        }
        space = new DiskSpace(folders, folder -> {
            if (!stores.containsKey(folder)) {
                throw new IOException("Input/output error");
            }
            return stores.get(folder);
        }, () -> nanos);
    }

    private static FileStore store(String name, long free, long total) throws IOException {
        FileStore store = mock(FileStore.class);
        when(store.name()).thenReturn(name);
        when(store.getUsableSpace()).thenReturn(free);
        when(store.getTotalSpace()).thenReturn(total);
        return store;
    }

    private List<FreeSpace> seen() {
        space.look();
        return space.now();
    }

    @Test
    void aFileSystemIsToldOnceWithItsFolders() throws IOException {
        FileStore one = store("/dev/sda1", 5, 10);
        stores.put(home, one); // snapshots/ is made later, below this
        stores.put(Files.createDirectory(home.resolve("data")), one);
        stores.put(Files.createDirectory(home.resolve("state")), store("tmpfs", 0, 10));
        assertThat(seen()).containsExactly(FreeSpace.of(List.of("data", "snapshots"), "/dev/sda1", 5),
            FreeSpace.of(List.of("state"), "tmpfs", 0));
        assertThat(space.refusal().orElseThrow()).contains("0 MiB are free on the file system with data/, snapshots/");
    }

    @Test
    void whatCannotBeToldIsUnknownAndRefusesNothing() throws IOException {
        stores.put(Files.createDirectory(home.resolve("data")), store("fuse", 0, 0));
        FileStore broken = store("nfs", 1, 1);
        when(broken.getUsableSpace()).thenThrow(new IOException("Stale file handle"));
        stores.put(Files.createDirectory(home.resolve("state")), broken);
        folders.put("snapshots", Path.of("/proc/self/snapshots")); // of no size, and nobody knows its name
        assertThat(seen()).allSatisfy(each -> assertThat(each.level()).isEqualTo(FreeSpace.Level.UNKNOWN))
            .extracting(FreeSpace::unknown).anyMatch(why -> why.contains("Input/output error"))
            .anyMatch(why -> why.contains("Stale file handle")).contains("it does not tell its size");
        assertThat(space.refusal()).isEmpty();
    }

    /** In a root that is none of a file system, Java does not find which one it is. */
    @Test
    void whatHasNoNameIsToldBySize() throws IOException {
        assertThat(seen()).hasSize(3).allSatisfy(each -> {
            assertThat(each.bytes()).isPresent();
            assertThat(each.where()).isEqualTo("the file system with " + each.folders().getFirst() + "/");
        });
    }

    /** As one of a network that has gone: whoever looks at it waits. */
    @Test
    void whatDoesNotAnswerIsUnknownAfterAWhile() throws IOException {
        stores.put(home, store("nfs", 1L << 40, 1L << 41));
        assertThat(space.now()).isEmpty();
        assertThat(seen()).extracting(FreeSpace::level).containsExactly(FreeSpace.Level.PLENTY);
        nanos += TimeUnit.SECONDS.toNanos(9);
        assertThat(space.now()).extracting(FreeSpace::level).containsExactly(FreeSpace.Level.PLENTY);
        nanos += TimeUnit.SECONDS.toNanos(2);
        assertThat(space.now()).containsExactly(FreeSpace.unknown(List.of("data", "state", "snapshots"), "",
            "no answer for 10 s"));
        assertThat(seen()).extracting(FreeSpace::level).containsExactly(FreeSpace.Level.PLENTY);
    }

    @Test
    void ownFoldersAreLookedAt() {
        DiskSpace own = new DiskSpace();
        try {
            assertThat(own.now()).allSatisfy(each -> assertThat(each.bytes()).isPresent());
            own.look();
            assertThat(own.now()).flatExtracting(FreeSpace::folders).containsExactlyInAnyOrder("data", "state",
                "segmented-journal", "snapshots");
        } finally {
            own.deactivate();
        }
    }
}
