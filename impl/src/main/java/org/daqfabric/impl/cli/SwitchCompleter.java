package org.daqfabric.impl.cli;

import java.util.stream.Stream;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.daqfabric.api.spec.FabricSpec;

/** Completes names of switches. */
@Service
public final class SwitchCompleter extends NameCompleter {
    @Override
    Stream<String> names(FabricSpec spec) {
        return NameLookup.switches(spec);
    }
}
