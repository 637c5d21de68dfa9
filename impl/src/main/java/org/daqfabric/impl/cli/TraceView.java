package org.daqfabric.impl.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.daqfabric.api.plan.TraceResult;
import org.daqfabric.api.plan.TraceResult.Hops;

/** The way of packets between a ROS and a DCM. */
record TraceView(String fabric, String ros, String dcm, Way now, Optional<Way> switched, Optional<Way> repaired)
        implements View {
    record Way(Direction toDcm, Direction toRos) {
        private static Way of(TraceResult.Way way) {
            return new Way(Direction.of(way.toDcm()), Direction.of(way.toRos()));
        }

        private boolean arrives() {
            return toDcm.arrives && toRos.arrives;
        }
    }

    /** One direction, with the reason if a packet does not arrive. */
    record Direction(boolean arrives, Optional<String> problem, List<Hop> hops) {
        private static Direction of(Hops hops) {
            return new Direction(hops.arrives(), Optional.of(hops.problem()).filter(problem -> !problem.isEmpty()),
                hops.hops().stream().map(hop -> new Hop(hop.switchName(), hop.inPort(), hop.outPort(), hop.rule(), hop.group(),
                    hop.daqring())).toList());
        }
    }

    /** A rule the packet meets; group and daqring are empty where there is none. */
    record Hop(String name, String inPort, String outPort, String rule, String group, String daqring) {
    }

    static TraceView of(String fabric, String ros, String dcm, TraceResult traced) {
        return new TraceView(fabric, ros, dcm, Way.of(traced.now()), traced.switched().map(Way::of),
            traced.repaired().map(Way::of));
    }

    @Override
    public String text() {
        List<String> lines = new ArrayList<>();
        add(lines, "", now);
        switched.ifPresent(way -> add(lines, " at once, by the switches themselves", way));
        repaired.ifPresent(way -> add(lines, " after the controller's repair", way));
        return String.join("\n", lines);
    }

    private void add(List<String> lines, String when, Way way) {
        if (!lines.isEmpty() && way.equals(now)) {
            lines.add("");
            lines.add(TerminalText.cut("the same" + when, Table.WIDTH));
            return;
        }
        add(lines, ros + " to " + dcm + when, way.toDcm);
        add(lines, dcm + " to " + ros + when, way.toRos);
    }

    private static void add(List<String> lines, String title, Direction direction) {
        if (!lines.isEmpty()) {
            lines.add("");
        }
        lines.addAll(TerminalText.wrap(title + ": " + (direction.arrives ? "arrives"
            : "does not arrive: " + direction.problem.orElse("")), 0));
        Table table = new Table("SWITCH", "IN", "OUT", "GROUP", "DAQRING", "RULE");
        direction.hops.forEach(hop -> table.row(hop.name, hop.inPort, hop.outPort, hop.group, hop.daqring, hop.rule));
        lines.add(table.text());
    }

    @Override
    public String failure() {
        return !now.arrives() ? "Packets do not arrive: daqfabric:verify and daqfabric:doctor may say why"
            : repaired.map(Way::arrives).orElse(true) ? "" : "Packets would not arrive";
    }
}
