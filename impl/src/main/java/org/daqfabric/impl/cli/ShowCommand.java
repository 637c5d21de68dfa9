package org.daqfabric.impl.cli;

import java.util.List;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code daqfabric:show}. */
@Service
@Command(scope = "daqfabric", name = "show", description = "Shows how fabrics run, each on one page")
public final class ShowCommand extends NamelessCommand {
    @Override
    View runWithOptions() {
        if (fabric != null) {
            return FabricView.of(fabrics.state(fabric()));
        }
        List<String> all = List.copyOf(fabrics.fabrics());
        return all.size() == 1 ? FabricView.of(fabrics.state(all.get(0)))
            : new FabricsView(all.stream().map(fabrics::state).map(FabricView::of).toList());
    }
}
