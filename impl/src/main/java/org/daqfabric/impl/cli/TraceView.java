package org.daqfabric.impl.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.daqfabric.api.plan.TraceResult;
import org.daqfabric.api.plan.TraceResult.Hops;

/**
 * The paths of packets between a ROS and a DCM.
 *
 * @param switched after a failure, before the controller acts
 * @param repaired after a failure, once the controller has repaired it
 */
record TraceView(String fabric, String ros, String dcm, RoundTrip now, Optional<RoundTrip> switched,
        Optional<RoundTrip> repaired) implements View {
    record RoundTrip(Direction toDcm, Direction toRos) {
        private static RoundTrip of(TraceResult.Way roundTrip) {
            return new RoundTrip(Direction.of(roundTrip.toDcm()), Direction.of(roundTrip.toRos()));
        }

        private boolean arrives() {
            return toDcm.arrives && toRos.arrives;
        }
    }

    /** The path in one direction, with the reason if the packet does not arrive. */
    record Direction(boolean arrives, Optional<String> problem, List<Hop> hops) {
        private static Direction of(Hops hops) {
            return new Direction(hops.arrives(), Optional.of(hops.problem()).filter(problem -> !problem.isEmpty()),
                hops.hops().stream().map(hop -> new Hop(hop.switchName(), hop.inPort(), hop.outPort(), hop.rule(),
                hop.group(),
                    hop.daqring())).toList());
        }
    }

    /** A rule that matches the packet; group and daqring are empty where there is none. */
    record Hop(String name, String inPort, String outPort, String rule, String group, String daqring) {
    }

    static TraceView of(String fabric, String ros, String dcm, TraceResult traced) {
        return new TraceView(fabric, ros, dcm, RoundTrip.of(traced.now()), traced.switched().map(RoundTrip::of),
            traced.repaired().map(RoundTrip::of));
    }

    @Override
    public String text() {
        List<String> lines = new ArrayList<>();
        add(lines, "", now);
        switched.ifPresent(roundTrip -> add(lines, " at once, by the switches themselves", roundTrip));
        repaired.ifPresent(roundTrip -> add(lines, " after the controller's repair", roundTrip));
        return String.join("\n", lines);
    }

    private void add(List<String> lines, String when, RoundTrip roundTrip) {
        if (!lines.isEmpty() && roundTrip.equals(now)) {
            lines.add("");
            lines.add(TerminalText.cut("the same" + when, Table.WIDTH));
            return;
        }
        add(lines, ros + " to " + dcm + when, roundTrip.toDcm);
        add(lines, dcm + " to " + ros + when, roundTrip.toRos);
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
            : repaired.map(RoundTrip::arrives).orElse(true) ? "" : "Packets would not arrive";
    }
}
