package org.daqfabric.impl.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.apache.karaf.shell.support.CommandException;
import org.daqfabric.api.NotDoneException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups as files of the controller's machine. */
class BackupCommandsTest extends CommandFixture {
    @TempDir
    private Path folder;

    /** The file can be read by its owner only, replaces an existing one atomically, and no temporary file remains. */
    @Test
    void backupIsWrittenWholeAndForItsOwnerAlone() throws Exception {
        BackupCommand backup = new BackupCommand();
        Path file = folder.resolve("daq.json");
        Files.writeString(file, "a former one");
        backup.file = file.toString();

        assertThat(run(backup)).isEqualTo("1 fabric with 2 DCMs and 0 partitions in " + file + "\n");

        assertThat(file).hasContent("all there is");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(file);
        }
        backup.json = true;
        assertThat(JsonParser.parseString(run(backup)).getAsJsonObject().getAsJsonObject("contents").get("dcms")
            .getAsInt()).isEqualTo(2);
    }

    /** A file that cannot be written is named. */
    @Test
    void placesThatCannotBeWrittenToAreNamed() {
        BackupCommand backup = new BackupCommand();
        backup.file = folder.toString();
        assertRefused(backup, folder + " is a directory: name a file");
        backup.file = folder.resolve("nowhere/daq.json").toString();
        assertRefused(backup, "cannot write " + backup.file + ": NoSuchFile");
        backup.fabric = "one";
        assertRefused(backup, "a backup is of all fabrics");
    }

    /** A restore says what it will do and asks for confirmation, unless it is suppressed. */
    @Test
    void restoreAsksForConfirmation() throws CommandException, IOException {
        Path file = Files.writeString(folder.resolve("daq.json"), "all there was");
        RestoreCommand restore = new RestoreCommand();
        restore.file = file.toString();
        answer = "no";
        assertThatThrownBy(() -> command(restore).execute()).hasMessage("nothing is done");
        answer = null;
        assertThatThrownBy(() -> command(restore).execute()).hasMessageContaining("add --yes");
        restore.json = true;
        assertRefused(restore, "add --yes");
        restore.json = false;
        assertThat(service.requests).isEmpty();

        answer = "yes";
        assertThat(run(restore)).contains("become those of").contains("refused if it has a fabric.")
            .endsWith("Restored: 2 fabrics with 3 DCMs and 1 partition. daqfabric:show tells how far they are.\n"
                + "WARNING  an old module\n");
        restore.yes = true;
        restore.replace = true;
        assertThat(run(restore)).startsWith("Restored");
        assertThat(service.requests).containsExactly("restore false all there was", "restore true all there was");

        service.failure = new NotDoneException("a run goes on: stop it first");
        assertRefused(restore, "a run goes on: stop it first");
        restore.file = folder.resolve("nothing").toString();
        assertRefused(restore, "cannot read " + restore.file + ": NoSuchFile");
    }
}
