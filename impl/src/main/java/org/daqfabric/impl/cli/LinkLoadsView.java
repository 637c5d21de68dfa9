package org.daqfabric.impl.cli;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FabricState.LinkState;
import org.daqfabric.api.state.FabricState.Traffic;

/** What the links of a fabric carry in each direction, the fullest first. */
record LinkLoadsView(String fabric, List<Row> loads) implements View {
    private static final int DIGITS = 4;
    private static final int PER_CENT = 100;

    /**
     * A link in one direction.
     *
     * @param from the end that sends
     * @param capacity Gbps
     * @param planned Gbps of events when the fabric's fullest link is full
     * @param measured Gbps in the last half minute
     */
    record Row(String from, String to, double capacity, double planned, OptionalDouble measured, String operState) {
        /** With more digits where little is carried. */
        private String text(double gbps) {
            String number = gbps > 0 && gbps < 1 ? String.valueOf(gbps) : NumberText.gbps(gbps);
            double percent = gbps / capacity * PER_CENT;
            return number + " (" + (percent > 0 && percent < PER_CENT / 10.0
                ? NumberText.round(percent, 2) + " %" : NumberText.percent(gbps / capacity)) + ")";
        }
    }

    /**
     * The rows of a state.
     *
     * @param only names of the links, or of switches whose links to show; all if empty
     */
    static LinkLoadsView of(FabricSpec spec, FabricState state, Set<String> only) {
        Map<PortId, Link> links = spec.links().stream().collect(Collectors.toMap(Link::end, Function.identity()));
        return new LinkLoadsView(state.fabric(), state.links().stream().filter(each -> links.containsKey(each.end()))
            .filter(each -> only.isEmpty() || LinksView.isSelected(links.get(each.end()), only))
            .flatMap(each -> rows(links.get(each.end()), each))
            .sorted(Comparator.<Row>comparingDouble(row -> -row.measured.orElse(0) / row.capacity)
                .thenComparing(row -> -row.planned / row.capacity).thenComparing(Row::from)).toList());
    }

    private static Stream<Row> rows(Link link, LinkState state) {
        return Stream.of(row(link, link.end(), link.peer(), state.toPeer(), state),
            row(link, link.peer(), link.end(), state.fromPeer(), state));
    }

    private static Row row(Link link, PortId from, PortId to, Traffic traffic, LinkState state) {
        OptionalDouble measured = traffic.measured().isEmpty() ? OptionalDouble.empty()
            : OptionalDouble.of(NumberText.round(traffic.measured().getAsDouble(), DIGITS));
        return new Row(from.toString(), to.toString(), NumberText.round(link.capacity(), 3),
            NumberText.round(traffic.planned(), DIGITS), measured, TerminalText.of(state.operState()));
    }

    @Override
    public String text() {
        Table table = new Table("FROM", "TO", "GBPS", "PLANNED", "MEASURED", "STATE");
        loads.forEach(row -> table.row(row.from, row.to, row.capacity, row.text(row.planned),
            row.measured.isPresent() ? row.text(row.measured.getAsDouble()) : "unknown", row.operState));
        return table.text();
    }
}
