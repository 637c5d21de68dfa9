package org.daqfabric.impl.cli;

import java.util.OptionalLong;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code daqfabric:compare}. */
@Service
@Command(scope = "daqfabric", name = "compare",
    description = "Tells what differs between two versions, or one and the present configuration")
public final class CompareCommand extends FabricCommand {
    @Argument(index = 0, name = "from", description = "A version of daqfabric:history", required = true)
    long from;

    @Argument(index = 1, name = "to", description = "Another one; the present configuration if left out")
    Long to;

    @Override
    View run() {
        String name = formerFabric();
        return ComparisonView.of(name, fabrics.compare(name, OptionalLong.of(from),
            to == null ? OptionalLong.empty() : OptionalLong.of(to)));
    }
}
