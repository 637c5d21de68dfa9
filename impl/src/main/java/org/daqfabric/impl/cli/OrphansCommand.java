package org.daqfabric.impl.cli;

import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code daqfabric:orphans}. */
@Service
@Command(scope = "daqfabric", name = "orphans",
    description = "Lists bridges that no configured fabric has, and those that fabrics have left and are still there")
public final class OrphansCommand extends NamelessCommand {
    @Override
    View runWithOptions() {
        return OrphansView.of(fabrics.orphans(), fabrics.pendingRemovals(), fabric);
    }
}
