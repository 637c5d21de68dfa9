package org.daqfabric.impl.cli;

import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.daqfabric.api.spec.AdminState;

/** {@code daqfabric:undrain}. */
@Service
@Command(scope = "daqfabric", name = "undrain", description = "Takes drained switches and links back into service")
public final class UndrainCommand extends AdminCommand {
    public UndrainCommand() {
        super(AdminState.IN_SERVICE);
    }
}
