package org.daqfabric.impl.cli;

import java.util.List;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code daqfabric:resync}. */
@Service
@Command(scope = "daqfabric", name = "resync",
    description = "Compares switches with what they must hold, and puts right what differs")
public final class ResyncCommand extends FabricCommand {
    @Argument(name = "switches", description = "Names of the switches to put right; all if none is given",
        multiValued = true)
    @Completion(SwitchCompleter.class)
    List<String> switches;

    @Override
    View run() {
        return VerifyView.of(fabric(), fabrics.resync(fabric(), NameLookup.switches(fabrics.spec(fabric()), switches)),
            true);
    }
}
