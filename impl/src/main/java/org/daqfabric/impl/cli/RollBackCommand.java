package org.daqfabric.impl.cli;

import java.security.Principal;
import java.util.Optional;
import java.util.OptionalLong;
import javax.security.auth.Subject;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.daqfabric.api.NotDoneException;

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
        if (!json) {
            session.getConsole().println(ComparisonView.of(name,
                fabrics.compare(name, OptionalLong.empty(), OptionalLong.of(version))).text());
        }
        if (!yes) {
            confirm();
        }
        return new RollBackView(name, version,
            fabrics.rollBack(name, version, user(), Optional.ofNullable(reason)).summary());
    }

    /** The user who logged in to the shell; empty if there is none. */
    private static Optional<String> user() {
        Subject subject = Subject.current();
        return subject == null ? Optional.empty() : subject.getPrincipals().stream()
            .filter(each -> each.getClass().getSimpleName().equals("UserPrincipal")).map(Principal::getName)
            .findFirst();
    }

    /** What was written. */
    record RollBackView(String fabric, long version, String summary) implements View {
        @Override
        public String text() {
            return "Now as in version " + version + ": " + summary + ". daqfabric:show tells how far it is.";
        }
    }
}
