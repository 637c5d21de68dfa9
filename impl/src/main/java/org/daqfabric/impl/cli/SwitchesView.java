package org.daqfabric.impl.cli;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FabricState.SwitchState;

/** The switches of a fabric. */
record SwitchesView(String fabric, List<Row> switches) implements View {
    /**
     * One switch.
     *
     * @param generation the newest it confirmed
     * @param daqrings absent if its Open vSwitch knows none and it should have some
     */
    record Row(String name, String role, boolean ovsdbConnected, boolean openflowConnected, String datapathId,
            Optional<Long> generation, int rules, int groups, Optional<Integer> daqrings, String lastError) {
    }

    /**
     * The rows of a state.
     *
     * @param only names of the switches to show; all if empty
     */
    static SwitchesView of(FabricState state, Set<String> only) {
        return new SwitchesView(state.fabric(), state.switches().stream()
            .filter(each -> only.isEmpty() || only.contains(each.name())).map(SwitchesView::row).toList());
    }

    private static Row row(SwitchState state) {
        return new Row(state.name(), TerminalText.of(state.role()), state.ovsdbConnected(), state.openflowConnected(),
            "%016x".formatted(state.datapathId()), boxed(state.generation()), state.rules(), state.groups(),
            boxed(state.daqrings()), state.lastError());
    }

    private static Optional<Long> boxed(OptionalLong number) {
        return number.isPresent() ? Optional.of(number.getAsLong()) : Optional.empty();
    }

    private static Optional<Integer> boxed(OptionalInt number) {
        return number.isPresent() ? Optional.of(number.getAsInt()) : Optional.empty();
    }

    @Override
    public String text() {
        Table table = new Table("SWITCH", "ROLE", "OVSDB", "OPENFLOW", "CONFIRMED", "RULES", "GROUPS", "DAQRINGS",
            "LAST ERROR");
        switches.forEach(row -> table.row(row.name, row.role, row.ovsdbConnected ? "yes" : "NO",
            row.openflowConnected ? "yes" : "NO", row.generation, row.rules, row.groups,
            row.daqrings.<Object>map(number -> number).orElse("unsupported"), row.lastError));
        return table.text();
    }
}
