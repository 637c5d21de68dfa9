package org.daqfabric.impl.cli;

import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code daqfabric:topology}. */
@Service
@Command(scope = "daqfabric", name = "topology",
    description = "Prints switches, ports and working links as JSON of RFC 8345 (ietf-network-topology)")
public final class TopologyCommand extends FabricCommand {
    @Override
    View run() {
        String named = fabric();
        return new TopologyView(named, fabrics.networks(named));
    }
}
