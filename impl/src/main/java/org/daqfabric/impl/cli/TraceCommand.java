package org.daqfabric.impl.cli;

import java.util.List;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.daqfabric.api.spec.FabricSpec;

/** {@code daqfabric:trace}. */
@Service
@Command(scope = "daqfabric", name = "trace",
    description = "Follows packets between a ROS and a DCM, or other hosts; fails if they do not arrive")
public final class TraceCommand extends FabricCommand {
    @Argument(index = 0, name = "ros", description = "Name of the ROS, or of another host", required = true)
    @Completion(RosOrHostCompleter.class)
    String ros;

    @Argument(index = 1, name = "dcm", description = "Name of the DCM, or of another host", required = true)
    @Completion(DcmOrHostCompleter.class)
    String dcm;

    @Option(name = "--fail", description = "A switch, or a link as SWITCH:PORT, that fails", multiValued = true)
    @Completion(SwitchOrLinkCompleter.class)
    List<String> fail;

    @Override
    View run() {
        FabricSpec spec = fabrics.spec(fabric());
        NameLookup.rosOrHost(spec, ros);
        NameLookup.dcmOrHost(spec, dcm);
        return TraceView.of(spec.name(), ros, dcm,
            fabrics.trace(spec.name(), ros, dcm, NameLookup.elements(spec, fail).parts()));
    }
}
