package org.daqfabric.impl.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.daqfabric.api.NotDoneException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which paths lead into folders that only the controller's unit has. */
class ServiceFoldersTest {
    /** Of a unit with PrivateTmp and ProtectHome on Debian 12, where a disk is mounted at /tmp/disk, too. */
    private static final ServiceFolders UNIT = new ServiceFolders(List.of(
        "500 400 8:1 / / ro,relatime shared:1 - ext4 /dev/sda1 rw",
        "501 500 8:1 /tmp/systemd-private-0f3a-daqfabric.service-x7Zq1b/tmp /tmp rw,relatime - ext4 /dev/sda1 rw",
        "502 500 8:1 /var/tmp/systemd-private-0f3a-daqfabric.service-aB3d5f/tmp /var/tmp rw - ext4 /dev/sda1 rw",
        "503 500 0:25 /systemd/inaccessible/dir /home ro,nosuid - tmpfs tmpfs rw,mode=755",
        "504 500 8:1 /var/lib/daqfabric /var/lib/daqfabric rw,relatime - ext4 /dev/sda1 rw",
        "505 501 8:17 / /tmp/disk\\040one rw,relatime - ext4 /dev/sdb1 rw"));

    /** Files there would not be those that the user sees; all others are. */
    @Test
    void foldersOfTheUnitAreFound() {
        assertThat(UNIT.around(Path.of("/tmp/x.json"))).contains(Path.of("/tmp"));
        assertThat(UNIT.around(Path.of("/var/tmp/nowhere/x.json"))).contains(Path.of("/var/tmp"));
        assertThat(UNIT.around(Path.of("/home/nobody-here/x.json"))).contains(Path.of("/home"));
        for (String path : List.of("/var/lib/daqfabric/x.json", "/tmp/disk one/x.json", "/tmpx/x.json", "/x.json")) {
            assertThat(UNIT.around(Path.of(path))).as(path).isEmpty();
        }
        assertThat(new ServiceFolders(List.of("", "no line of it")).around(Path.of("/tmp/x.json"))).isEmpty();
    }

    /** A symbolic link leads where it leads. */
    @Test
    void linksAreFollowed(@TempDir Path folder) throws Exception {
        Path there = Files.createDirectory(folder.toRealPath().resolve("there"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), there);
        ServiceFolders folders = new ServiceFolders(List.of(
            "1 2 8:1 /tmp/systemd-private-1-x/tmp " + there + " rw - ext4 d rw"));
        assertThat(folders.around(link.resolve("x.json"))).contains(there);
    }

    /** The refusal names the folder, and one that works. */
    @Test
    void pathsThereAreRefused() {
        assertThatThrownBy(() -> BackupFile.path("/tmp/x.json", UNIT)).isInstanceOf(NotDoneException.class)
            .hasMessageContaining("/tmp/x.json: ").hasMessageContaining("a /tmp of its own")
            .hasMessageContaining("name a file in " + Path.of("").toAbsolutePath());
        assertThat(BackupFile.path("/var/lib/daqfabric/x.json", UNIT)).hasToString("/var/lib/daqfabric/x.json");
    }
}
