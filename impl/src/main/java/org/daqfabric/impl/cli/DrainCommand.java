package org.daqfabric.impl.cli;

import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.daqfabric.api.spec.AdminState;

/** {@code daqfabric:drain}. */
@Service
@Command(scope = "daqfabric", name = "drain",
    description = "Takes switches and links out of service; what uses them moves first")
public final class DrainCommand extends AdminCommand {
    public DrainCommand() {
        super(AdminState.DRAINED);
    }
}
