package org.daqfabric.impl.cli;

import java.util.List;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code daqfabric:verify}. */
@Service
@Command(scope = "daqfabric", name = "verify",
    description = "Compares switches with what they must hold, and changes nothing; fails if they differ")
public final class VerifyCommand extends FabricCommand {
    @Argument(name = "switches", description = "Names of the switches to compare; all if none is given",
        multiValued = true)
    @Completion(SwitchCompleter.class)
    List<String> switches;

    @Override
    View run() {
        return VerifyView.of(fabric(), fabrics.verify(fabric(), NameLookup.switches(fabrics.spec(fabric()), switches)),
            false);
    }
}
