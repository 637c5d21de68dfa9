package org.daqfabric.impl.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.daqfabric.api.run.Condition;
import org.daqfabric.api.run.Partition;
import org.daqfabric.api.run.PartitionState;
import org.daqfabric.api.run.RunLosses;

/** The partitions of run controllers. */
record PartitionsView(List<Row> partitions) implements View {
    private static final int MAX_CONCERNS = 10;

    /**
     * One partition.
     *
     * @param health absent, like the bandwidth, while it is idle or its fabric has no status yet
     */
    record Row(String name, String fabric, String state, String since, String reason, int ros, int dcms,
            Optional<String> health, double requiredBandwidth, Optional<Double> achievableBandwidth,
            Optional<Double> nominalBandwidth, Optional<Operation> operation, Optional<Run> run,
            List<String> concerns) {
    }

    record Operation(String rpc, String status, int progress, String detail) {
    }

    record Run(long number, String begun, Optional<String> ended, boolean aborted, int repairs, int movedDcms,
            double lowestBandwidth, String worstHealth, Map<String, Long> linkLoss, long daqringDrops) {
        private String text() {
            return "run " + number + " since " + begun
                + ended.map(end -> (aborted ? ", aborted " : ", ended ") + end).orElse("")
                + ": " + TerminalText.count(repairs, "repair", "repairs") + ", "
                + TerminalText.count(movedDcms, "DCM", "DCMs") + " moved, at"
                + " least " + NumberText.gbps(lowestBandwidth) + " Gbps, health " + worstHealth + " at worst"
                + (linkLoss.isEmpty() ? "" : "; lost " + linkLoss.entrySet().stream()
                    .map(each -> TerminalText.count(each.getValue(), "packet", "packets") + " after " + each.getKey())
                    .collect(Collectors.joining(", ")))
                + (daqringDrops == 0 ? "" : "; daqrings dropped "
                    + TerminalText.count(daqringDrops, "packet", "packets"));
        }
    }

    static PartitionsView of(List<PartitionState> states, Predicate<Partition> only) {
        return new PartitionsView(states.stream().filter(state -> only.test(state.partition())).map(PartitionsView::row)
            .toList());
    }

    private static Row row(PartitionState state) {
        Partition partition = state.partition();
        Optional<Condition> condition = state.condition();
        return new Row(partition.name(), partition.fabric(), TerminalText.of(partition.state()),
            NumberText.time(partition.since()), partition.reason(), partition.selection().ros().size(),
            partition.selection().dcms().size(), condition.map(each -> TerminalText.of(each.health())),
            NumberText.round(partition.required(), 3), condition.map(each -> NumberText.round(each.achievable(), 3)),
            condition.map(each -> NumberText.round(each.nominal(), 3)),
            partition.operation().map(each -> new Operation(each.rpc(),
                TerminalText.of(each.status()), each.progress(), each.detail())),
            partition.run().map(each -> new Run(each.number(), NumberText.time(each.begun()),
            each.ended().map(NumberText::time),
                each.aborted(), each.repairs(), each.movedDcms(), NumberText.round(each.lowestBandwidth(), 3),
                TerminalText.of(each.worstHealth()), linkLoss(each.losses()), each.losses().daqrings())),
            condition.map(each -> each.concerns().stream().map(Object::toString).toList()).orElse(List.of()));
    }

    private static Map<String, Long> linkLoss(RunLosses losses) {
        Map<String, Long> found = new LinkedHashMap<>();
        losses.links().forEach((port, packets) -> found.put(port.toString(), packets));
        return found;
    }

    @Override
    public String text() {
        if (partitions.isEmpty()) {
            return "No partition: no run controller has prepared one.";
        }
        Table table = new Table("PARTITION", "FABRIC", "STATE", "HEALTH", "ROS", "DCMS", "NEEDS", "HAS", "OPERATION");
        partitions.forEach(row -> table.row(row.name, row.fabric, row.state, row.health, row.ros, row.dcms,
            NumberText.gbps(row.requiredBandwidth), row.achievableBandwidth.map(NumberText::gbps),
            row.operation.map(each -> each.rpc + " " + each.status + " " + each.progress + " %")));
        List<String> lines = new ArrayList<>();
        lines.add(table.text());
        partitions.forEach(row -> details(row, lines));
        return String.join("\n", lines);
    }

    private static void details(Row row, List<String> lines) {
        List<String> details = new ArrayList<>();
        row.run.ifPresent(run -> details.add(run.text()));
        if (!row.reason.isEmpty()) {
            details.add(row.reason);
        }
        row.operation.filter(each -> !each.detail.isEmpty())
            .ifPresent(each -> details.add(each.rpc + ": " + each.detail));
        row.concerns.stream().limit(MAX_CONCERNS).forEach(details::add);
        if (row.concerns.size() > MAX_CONCERNS) {
            details.add((row.concerns.size() - MAX_CONCERNS) + " more in --json");
        }
        details.forEach(detail -> lines.addAll(TerminalText.wrap(row.name + ": " + detail, 0)));
    }
}
