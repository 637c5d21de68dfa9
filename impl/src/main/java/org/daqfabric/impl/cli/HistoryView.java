package org.daqfabric.impl.cli;

import java.util.List;
import java.util.Optional;
import org.daqfabric.api.history.FabricVersion;

/** The versions of a fabric. */
record HistoryView(String fabric, List<Row> versions) implements View {
    /** One version; the user is absent if it is not known. */
    record Row(long version, String time, Optional<String> user, Optional<String> reason, String summary,
            boolean removed) {
    }

    static HistoryView of(String fabric, List<FabricVersion> versions) {
        return new HistoryView(fabric, versions.stream().map(each -> new Row(each.number(),
            NumberText.time(each.time()), each.user(), each.reason(), each.summary(), each.removal())).toList());
    }

    @Override
    public String text() {
        Table table = new Table("VERSION", "TIME", "USER", "WHAT CHANGED", "REASON");
        versions.forEach(each -> table.row(each.version(), each.time(), each.user().orElse("unknown"), each.summary(),
            each.reason()));
        return table.text();
    }
}
