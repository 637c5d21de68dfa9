package org.daqfabric.impl.cli;

import java.nio.file.Path;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.support.completers.FileCompleter;
import org.daqfabric.api.NotDoneException;
import org.daqfabric.api.RestoreResult;

/** {@code daqfabric:restore}. */
@Service
@Command(scope = "daqfabric", name = "restore",
    description = "Stores what a backup holds and continues from it; switches are sent only what differs")
public final class RestoreCommand extends FabricCommand {
    @Argument(name = "file", description = "A backup on the controller's machine", required = true)
    @Completion(FileCompleter.class)
    String file;

    @Option(name = "--replace", description = "Replace fabrics that are configured already")
    boolean replace;

    @Option(name = "--yes", aliases = "-y", description = "Do not ask")
    boolean yes;

    @Override
    View run() {
        BackupFile.refuseFabric(fabric);
        Path path = BackupFile.path(file);
        String text = BackupFile.read(path);
        if (json && !yes) {
            throw new NotDoneException("--json does not ask for confirmation: add --yes");
        }
        if (!yes) {
            session.getConsole().println(String.join("\n", TerminalText.wrap("Configuration, placements, port numbers"
                + " and partitions of this controller become those of " + path
                + (replace ? ", whatever it has now." : "; refused if it has a fabric."), 0)));
            Confirmation.ask(session);
        }
        RestoreResult restored = fabrics.restore(text, replace);
        return new RestoreView(path.toString(), restored.contents(), restored.warnings());
    }
}
