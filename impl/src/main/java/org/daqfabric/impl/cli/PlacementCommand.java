package org.daqfabric.impl.cli;

import java.util.List;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.daqfabric.api.spec.FabricSpec;

/** {@code daqfabric:placement}. */
@Service
@Command(scope = "daqfabric", name = "placement",
    description = "Shows where DCMs are placed, and the load of the spines")
public final class PlacementCommand extends FabricCommand {
    @Argument(name = "dcms", description = "Names of the DCMs to show; all if none is given", multiValued = true)
    @Completion(DcmCompleter.class)
    List<String> dcms;

    @Override
    View run() {
        FabricSpec spec = fabrics.spec(fabric());
        return PlacementView.of(spec, fabrics.state(fabric()), NameLookup.dcms(spec, dcms));
    }
}
