package org.daqfabric.impl.cli;

import java.util.OptionalInt;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.daqfabric.api.NotDoneException;

/** {@code daqfabric:rebalance}. */
@Service
@Command(scope = "daqfabric", name = "rebalance",
    description = "Takes held-back links into use, and places DCMs anew where that gains bandwidth")
public final class RebalanceCommand extends NamelessCommand {
    @Option(name = "--max-moves", description = "How many DCMs may move; any number if not given")
    Integer maxMoves;

    @Override
    View runWithOptions() {
        if (maxMoves != null && maxMoves < 0) {
            throw new NotDoneException("--max-moves " + maxMoves + " is below 0: give a number of DCMs");
        }
        String name = fabric();
        return new RebalanceView(name, fabrics.rebalance(name, maxMoves == null ? OptionalInt.empty()
            : OptionalInt.of(maxMoves)));
    }
}
