package org.daqfabric.impl.cli;

import java.nio.file.Path;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.support.completers.FileCompleter;
import org.daqfabric.api.FabricBackup;

/** {@code daqfabric:backup}. */
@Service
@Command(scope = "daqfabric", name = "backup",
    description = "Writes all that is stored to one file: configuration, placements, port numbers, partitions")
public final class BackupCommand extends FabricCommand {
    @Argument(name = "file", description = "A file on the controller's machine", required = true)
    @Completion(FileCompleter.class)
    String file;

    @Override
    View run() {
        BackupFile.refuseFabric(fabric);
        Path path = BackupFile.path(file);
        FabricBackup backup = fabrics.backup();
        BackupFile.write(path, backup.text());
        return new BackupView(path.toString(), backup.contents());
    }
}
