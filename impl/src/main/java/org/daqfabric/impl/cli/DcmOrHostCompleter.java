package org.daqfabric.impl.cli;

import java.util.stream.Stream;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.daqfabric.api.spec.FabricSpec;

/** Completes names of DCMs and of other hosts. */
@Service
public final class DcmOrHostCompleter extends NameCompleter {
    @Override
    Stream<String> names(FabricSpec spec) {
        return NameLookup.withHosts(spec, NameLookup.dcms(spec));
    }
}
