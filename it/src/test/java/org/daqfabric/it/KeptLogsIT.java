package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The logs of a test that fails are there afterwards: {@link KeptLogs}, with logs that are only files. */
class KeptLogsIT {
    @TempDir
    private Path folder;
    private Path home;
    private Path log;
    private Path kept;
    private KeptLogs logs;

    @BeforeEach
    void make() throws IOException {
        home = folder.resolve("controller-of-" + folder.getFileName());
        log = home.resolve("data/log/karaf.log");
        kept = folder.resolve("failed/SomeIT-works");
        Files.createDirectories(log.getParent());
        KeptLogs.ofController(home);
        logs = new KeptLogs(folder.resolve("failed"), folder.resolve("down"));
        logs.begin();
        Files.writeString(log, "started\n");
    }

    private void fail(final String test) {
        logs.keep("SomeIT-" + test, new AssertionError("expected 3 but was 2"));
    }

    @Test
    void controllersAndFabricsAreKeptWithTheFailure() throws IOException {
        final var vswitchd = folder.resolve("down/prototype/p1l1/ovs-vswitchd.log");
        Files.createDirectories(vswitchd.getParent());
        Files.writeString(vswitchd, "bridge br-daq\n");
        fail("works");
        Files.writeString(log, "of the next class\n");
        assertThat(kept.resolve(home.getFileName()).resolve("karaf.log")).hasContent("started");
        assertThat(kept.resolve("prototype/p1l1/ovs-vswitchd.log")).hasContent("bridge br-daq");
        assertThat(kept.resolve("failure.txt")).content().contains("expected 3 but was 2", "KeptLogsIT");
        assertThat(kept.resolve("softnet_stat.txt")).content().containsPattern("before[^:]*:\\R[0-9a-f]{8} ")
            .containsPattern("now:\\R[0-9a-f]{8} ");
    }

    /** Not what an earlier class has left: neither a fabric nor a controller. */
    @Test
    void whatWasBeforeTheClassIsNotKept() throws IOException {
        Files.createDirectories(folder.resolve("down/earlier/p1l1"));
        Files.setLastModifiedTime(log, FileTime.from(Instant.now().minusSeconds(60)));
        logs.begin();
        fail("works");
        assertThat(kept.resolve("failure.txt")).exists();
        assertThat(kept.resolve(home.getFileName())).doesNotExist();
        assertThat(kept.resolve("earlier")).doesNotExist();
    }

    @Test
    void ofALongLogTheLastWholeLinesAreKept() throws IOException {
        Files.writeString(log, "first\nsecond\nthird\n");
        KeptLogs.copyEnd(log, kept.resolve("karaf.log"), 9);
        assertThat(kept.resolve("karaf.log")).hasContent("third");
        KeptLogs.copyEnd(log, kept.resolve("karaf.log"), 19);
        assertThat(kept.resolve("karaf.log")).hasContent("first\nsecond\nthird");
    }

    /** A class of which everything fails does not fill the disk. */
    @Test
    void aFewFailuresOfAClassAreKept() throws IOException {
        for (int test = 1; test <= 20; test++) {
            fail("works-" + test);
        }
        try (var folders = Files.list(folder.resolve("failed"))) {
            assertThat(folders).hasSize(5);
        }
        assertThat(folder.resolve("failed/SomeIT-works-1")).exists();
    }

    @Test
    void namesOfTestsAreNamesOfFolders() {
        assertThat(KeptLogs.folderName("EditsIT-loseNothing-a spine's bridge/name `on`"))
            .isEqualTo("EditsIT-loseNothing-a-spine-s-bridge-name-on");
        assertThat(KeptLogs.folderName("x".repeat(300))).hasSize(100);
    }
}
