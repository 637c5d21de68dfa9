package org.daqfabric.impl.cli;

import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code daqfabric:schedule}. */
@Service
@Command(scope = "daqfabric", name = "schedule",
    description = "Shows phases in which every ROS sends to one DCM and no two need the same link")
public final class ScheduleCommand extends FabricCommand {
    @Override
    View run() {
        return ScheduleView.of(fabric(), fabrics.schedule(fabric()));
    }
}
