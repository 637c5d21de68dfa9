package org.daqfabric.impl.cli;

import java.util.stream.Stream;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.daqfabric.api.spec.FabricSpec;

/** Completes names of switches and links. */
@Service
public final class SwitchOrLinkCompleter extends NameCompleter {
    @Override
    Stream<String> names(FabricSpec spec) {
        return Stream.concat(NameLookup.switches(spec), NameLookup.links(spec));
    }
}
