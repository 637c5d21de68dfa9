package org.daqfabric.impl.cli;

import java.util.stream.Stream;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.daqfabric.api.spec.FabricSpec;

/** Completes names of DCMs. */
@Service
public final class DcmCompleter extends NameCompleter {
    @Override
    Stream<String> names(FabricSpec spec) {
        return NameLookup.dcms(spec);
    }
}
