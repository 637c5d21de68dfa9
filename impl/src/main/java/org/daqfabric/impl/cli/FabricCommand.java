package org.daqfabric.impl.cli;

import java.io.IOException;
import java.util.Locale;
import java.util.Set;
import java.util.SortedSet;
import org.apache.karaf.shell.api.action.Action;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.console.Session;
import org.apache.karaf.shell.support.CommandException;
import org.daqfabric.api.FabricService;
import org.daqfabric.api.NotDoneException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What all commands share: the option for the fabric, text or JSON output, and how a command fails. */
abstract class FabricCommand implements Action {
    private static final Logger LOG = LoggerFactory.getLogger(FabricCommand.class);

    private static final Set<String> YES = Set.of("y", "yes");

    @Reference
    FabricService fabrics;

    @Reference
    Session session;

    @Option(name = "-f", aliases = "--fabric", description = "The fabric; needed if there are several")
    @Completion(FabricCompleter.class)
    String fabric;

    @Option(name = "--json", description = "Show it as JSON, whole and for programs")
    boolean json;

    /** Carries out the command and returns what to show. */
    abstract View run();

    @Override
    // the shell shows the message
    @SuppressWarnings({"checkstyle:illegalCatch", "checkstyle:avoidHidingCauseException"}) // the shell shows messages
    public final Object execute() throws CommandException {
        View view;
        try {
            view = run();
        } catch (NotDoneException e) {
            throw failed(e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("A command failed", e);
            throw failed("failed: " + e + "; the log has more");
        }
        session.getConsole().println(json ? Json.of(view) : view.text());
        if (!view.failure().isEmpty()) {
            throw failed(json ? "" : view.failure());
        }
        return null;
    }

    /** An exception whose message Karaf shows as it is and does not log. */
    private static CommandException failed(String message) {
        return new CommandException(message, message);
    }

    /** Asks whether to go on; everything but a yes ends the command. */
    final void confirm() {
        String answer;
        try {
            answer = session.readLine("\nGo on? (yes/no) ", null);
        } catch (IOException | UnsupportedOperationException e) {
            throw new NotDoneException("nothing is done: there is no terminal to ask for confirmation; add --yes", e);
        }
        if (answer == null || !YES.contains(answer.strip().toLowerCase(Locale.ROOT))) {
            throw new NotDoneException("nothing is done");
        }
    }

    /** Name of the fabric, which may have been removed: the one given, or the only one configured. */
    final String formerFabric() {
        return fabric == null ? fabric() : fabric;
    }

    /** Name of the fabric: the one given, or the only one configured. */
    final String fabric() {
        SortedSet<String> all = fabrics.fabrics();
        if (fabric != null) {
            NameLookup.requireExisting(all, fabric, "there is no fabric", "configured");
            return fabric;
        }
        return switch (all.size()) {
            case 0 -> throw new NotDoneException("no fabric is configured: describe one over RESTCONF"
                + " (docs/user-guide.md)");
            case 1 -> all.first();
            default -> throw new NotDoneException("there are several fabrics: name one with --fabric; configured: "
                + NameLookup.list(all));
        };
    }
}
