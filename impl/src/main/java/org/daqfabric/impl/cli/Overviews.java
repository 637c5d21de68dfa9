package org.daqfabric.impl.cli;

import java.util.List;
import java.util.stream.Collectors;

/** Some fabrics, each on one page. */
record Overviews(List<Overview> fabrics) implements View {
    @Override
    public String text() {
        return fabrics.isEmpty() ? "No fabric is configured: describe one over RESTCONF (docs/user-guide.md)."
            : fabrics.stream().map(Overview::text).collect(Collectors.joining("\n\n"));
    }
}
