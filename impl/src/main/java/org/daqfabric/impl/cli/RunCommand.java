package org.daqfabric.impl.cli;

import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code daqfabric:run}. */
@Service
@Command(scope = "daqfabric", name = "run", description = "Shows the partitions of run controllers; changes nothing")
public final class RunCommand extends NamelessCommand {
    @Override
    View runWithOptions() {
        String only = fabric == null ? "" : fabric();
        return PartitionsView.of(fabrics.partitions(), partition -> only.isEmpty() || partition.fabric().equals(only));
    }
}
