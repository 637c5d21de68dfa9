package org.daqfabric.impl.cli;

import java.util.Optional;
import java.util.OptionalLong;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.daqfabric.api.NotDoneException;
import org.daqfabric.api.history.FabricChanges;

/** {@code daqfabric:roll-back}. */
@Service
@Command(scope = "daqfabric", name = "roll-back",
    description = "Configures a fabric as it was in a version of its history")
public final class RollBackCommand extends FabricCommand {
    @Argument(name = "version", description = "A version of daqfabric:history", required = true)
    long version;

    @Option(name = "--reason", description = "Why, for the history")
    String reason;

    @Option(name = "--yes", aliases = "-y", description = "Do not ask")
    boolean yes;

    @Override
    View run() {
        String name = formerFabric();
        if (json && !yes) {
            throw new NotDoneException("--json does not ask for confirmation: add --yes, or see daqfabric:plan first");
        }
        Optional<FabricChanges> agreed = Optional.empty();
        if (!json) {
            FabricChanges changes = fabrics.compare(name, OptionalLong.empty(), OptionalLong.of(version));
            session.getConsole().println(ComparisonView.of(name, changes).text());
            if (!yes) {
                confirm();
                agreed = Optional.of(changes);
            }
        }
        return new RollBackView(name, version,
            fabrics.rollBack(name, version, ShellUser.name(), Optional.ofNullable(reason), agreed).summary());
    }

    /** What was written. */
    record RollBackView(String fabric, long version, String summary) implements View {
        @Override
        public String text() {
            return "Now as in version " + version + ": " + summary + ". daqfabric:show tells how far it is.";
        }
    }
}
