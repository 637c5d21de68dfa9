package org.daqfabric.impl.cli;

import java.io.IOException;
import java.util.Locale;
import java.util.Set;
import org.apache.karaf.shell.api.console.Session;
import org.daqfabric.api.NotDoneException;

/** Asks at the terminal whether to go on. */
final class Confirmation {
    private static final Set<String> YES = Set.of("y", "yes");

    private Confirmation() {
    }

    /**
     * Returns if the answer is yes.
     *
     * @throws NotDoneException if it is another, or nobody can be asked
     */
    static void ask(Session session) {
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
}
