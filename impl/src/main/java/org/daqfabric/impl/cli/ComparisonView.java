package org.daqfabric.impl.cli;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.daqfabric.api.history.Difference;
import org.daqfabric.api.history.FabricChanges;

/** What differs between two configurations of a fabric. */
record ComparisonView(String fabric, String summary, List<Row> differences) implements View {
    /** One difference; the property is absent if the part was added or removed. */
    record Row(String part, Optional<String> property, Optional<String> before, Optional<String> after, String text) {
    }

    static ComparisonView of(String fabric, FabricChanges comparison) {
        return new ComparisonView(fabric, comparison.summary(), comparison.differences().stream()
            .map(ComparisonView::row).toList());
    }

    private static Row row(Difference each) {
        return new Row(each.part(), each.property(), each.before(), each.after(), each.text());
    }

    @Override
    public String text() {
        return differences.isEmpty() ? "Nothing differs." : differences.stream()
            .flatMap(each -> TerminalText.wrap(each.text(), 0).stream()).collect(Collectors.joining("\n"));
    }
}
