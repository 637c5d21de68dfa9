package org.daqfabric.impl.cli;

import java.util.List;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code daqfabric:switches}. */
@Service
@Command(scope = "daqfabric", name = "switches", description = "Shows switches: connections, what they hold, errors")
public final class SwitchesCommand extends FabricCommand {
    @Argument(name = "switches", description = "Names of the switches to show; all if none is given",
        multiValued = true)
    @Completion(SwitchCompleter.class)
    List<String> switches;

    @Override
    View run() {
        return SwitchesView.of(fabrics.state(fabric()), NameLookup.switches(fabrics.spec(fabric()), switches));
    }
}
