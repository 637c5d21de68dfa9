package org.daqfabric.impl.cli;

import java.util.List;
import java.util.stream.Collectors;

/** Several fabrics, each on one page. */
record FabricsView(List<FabricView> fabrics) implements View {
    @Override
    public String text() {
        return fabrics.isEmpty() ? "No fabric is configured: describe one over RESTCONF (docs/user-guide.md)."
            : fabrics.stream().map(FabricView::text).collect(Collectors.joining("\n\n"));
    }
}
