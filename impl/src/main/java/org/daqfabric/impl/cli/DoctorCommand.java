package org.daqfabric.impl.cli;

import java.util.Optional;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code daqfabric:doctor}. */
@Service
@Command(scope = "daqfabric", name = "doctor",
    description = "Looks for whatever keeps fabrics from working and says what to do; fails if something does not work")
public final class DoctorCommand extends NamelessCommand {
    @Override
    View runWithOptions() {
        return DoctorView.of(fabrics.examine(fabric == null ? Optional.empty() : Optional.of(fabric())));
    }
}
