package org.daqfabric.impl.cli;

import java.util.List;
import org.apache.karaf.shell.api.action.Argument;
import org.daqfabric.api.NotDoneException;

/**
 * A command that takes options only. It declares an argument because Karaf's own message for one does not say what to
 * do.
 */
abstract class NamelessCommand extends FabricCommand {
    @Argument(name = "none", description = "No names: a fabric is given as --fabric FABRIC", multiValued = true)
    List<String> names;

    @Override
    final View run() {
        if (names != null && !names.isEmpty()) {
            throw new NotDoneException(TerminalText.cut(TerminalText.clean(names.get(0)), Table.WIDTH)
                + " is one word too many: a fabric is given"
                + " as --fabric FABRIC, everything else with an option too (--help lists them)");
        }
        return runWithOptions();
    }

    /** Carries out the command and returns what to show. */
    abstract View runWithOptions();
}
