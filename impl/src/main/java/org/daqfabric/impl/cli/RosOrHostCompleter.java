package org.daqfabric.impl.cli;

import java.util.stream.Stream;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.daqfabric.api.spec.FabricSpec;

/** Completes names of ROS and of other hosts. */
@Service
public final class RosOrHostCompleter extends NameCompleter {
    @Override
    Stream<String> names(FabricSpec spec) {
        return NameLookup.withHosts(spec, NameLookup.ros(spec));
    }
}
