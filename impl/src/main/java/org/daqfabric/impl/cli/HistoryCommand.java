package org.daqfabric.impl.cli;

import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code daqfabric:history}. */
@Service
@Command(scope = "daqfabric", name = "history",
    description = "Lists the last accepted configurations, newest first; --fabric may name one that was removed")
public final class HistoryCommand extends NamelessCommand {
    @Override
    View runWithOptions() {
        String name = formerFabric();
        return HistoryView.of(name, fabrics.versions(name));
    }
}
