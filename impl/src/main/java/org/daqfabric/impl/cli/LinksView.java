package org.daqfabric.impl.cli;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FabricState.LinkState;
import org.daqfabric.api.state.FabricState.OperState;

/** The links of a fabric. */
record LinksView(String fabric, List<Row> links) implements View {
    /**
     * One link.
     *
     * @param seenPeer the port found at the other end of the cable, if the cabling check has found one
     * @param heldBack whether it is up but not used yet
     */
    record Row(String link, String peer, double capacity, String adminState, String operState, String since,
            Optional<String> seenPeer, boolean heldBack) {
        private String remark() {
            return operState.equals(TerminalText.of(OperState.MISCABLED)) && seenPeer.isPresent()
                    && !seenPeer.get().equals(peer) ? "sees " + seenPeer.get()
                : heldBack ? "held back" : "";
        }
    }

    /**
     * The rows of a state.
     *
     * @param only names of the links, or of switches whose links to show; all if empty
     */
    static LinksView of(FabricSpec spec, FabricState state, Set<String> only) {
        Map<PortId, Link> links = spec.links().stream().collect(Collectors.toMap(Link::end, Function.identity()));
        return new LinksView(state.fabric(), state.links().stream().filter(each -> links.containsKey(each.end()))
            .filter(each -> only.isEmpty() || isSelected(links.get(each.end()), only))
            .map(each -> row(links.get(each.end()), each)).toList());
    }

    static boolean isSelected(Link link, Set<String> only) {
        return only.contains(link.end().toString()) || only.contains(link.peer().toString())
            || only.contains(link.end().switchName()) || only.contains(link.peer().switchName());
    }

    private static Row row(Link link, LinkState state) {
        return new Row(link.end().toString(), link.peer().toString(), NumberText.round(link.capacity(), 3),
            TerminalText.of(link.adminState()), TerminalText.of(state.operState()), NumberText.time(state.since()),
            state.seenPeer().map(PortId::toString), state.heldBack());
    }

    @Override
    public String text() {
        Table table = new Table("LINK", "PEER", "GBPS", "STATE", "SINCE", "REMARK");
        links.forEach(row -> table.row(row.link, row.peer, row.capacity, row.operState, row.since, row.remark()));
        return table.text();
    }
}
