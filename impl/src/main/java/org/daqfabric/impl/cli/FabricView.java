package org.daqfabric.impl.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.StringJoiner;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FabricState.LinkState;
import org.daqfabric.api.state.FabricState.OperState;
import org.daqfabric.api.state.FabricState.Phase;

/** A fabric on one page. */
record FabricView(String fabric, String phase, long generation, Switches switches, Links links, Dcms dcms,
        double bandwidth, double nominalBandwidth, double utilisation, String bottleneck, Optional<Repair> lastRepair,
        Optional<Rebalanced> lastRebalanced, List<String> errors) implements View {
    private static final int MAX_ERRORS = 10;
    private static final int LABEL_WIDTH = 13;

    /** Number of switches: all, connected over both protocols, and with a confirmed program. */
    record Switches(int total, int connected, int confirmed) {
    }

    record Links(int total, int up, int down, int drained, int miscabled, int unknown, int heldBack) {
    }

    /** Number of DCMs: all, without a path, and reached by fewer ROS than others. */
    record Dcms(int total, int cutOff, int reachedByFewer) {
    }

    record Repair(String cause, String detected, double computed, Optional<Double> confirmed, int movedDcms,
            int messages) {
    }

    record Rebalanced(String begun, Optional<Double> confirmed, int movedDcms, int messages) {
    }

    static FabricView of(FabricState state) {
        List<LinkState> links = state.links();
        int ros = state.placements().stream().mapToInt(dcm -> dcm.reachableRos()).max().orElse(0);
        return new FabricView(state.fabric(), TerminalText.of(state.phase()), state.generation(),
            new Switches(state.switches().size(),
                (int) state.switches().stream().filter(each -> each.ovsdbConnected() && each.openflowConnected())
                .count(), (int) state.switches().stream().filter(each -> each.generation().isPresent()).count()),
            new Links(links.size(), count(links, OperState.UP), count(links, OperState.DOWN),
                count(links, OperState.DRAINED), count(links, OperState.MISCABLED), count(links, OperState.UNKNOWN),
                (int) links.stream().filter(LinkState::heldBack).count()),
            new Dcms(state.placements().size(),
                (int) state.placements().stream().filter(dcm -> dcm.reachableRos() == 0).count(),
                (int) state.placements().stream()
                    .filter(dcm -> dcm.reachableRos() > 0 && dcm.reachableRos() < ros).count()),
            NumberText.round(state.capacity().bandwidth(), 3), NumberText.round(state.capacity().nominal(), 3),
            NumberText.round(state.capacity().utilisation(), 4), state.capacity().bottleneck(),
            state.lastRepair().map(repair -> new Repair(repair.cause(), NumberText.time(repair.detected()),
                NumberText.millis(repair.detected(), repair.computed()),
                repair.confirmed().map(confirmed -> NumberText.millis(repair.detected(), confirmed)),
                repair.movedDcms(), repair.messages())),
            state.lastRebalanced().map(step -> new Rebalanced(NumberText.time(step.begun()),
                step.confirmed().map(confirmed -> NumberText.millis(step.begun(), confirmed)), step.movedDcms(),
                step.messages())),
            state.switches().stream().filter(each -> !each.lastError().isEmpty())
                .map(each -> each.name() + ": " + each.lastError()).toList());
    }

    private static int count(List<LinkState> links, OperState state) {
        return (int) links.stream().filter(link -> link.operState() == state).count();
    }

    @Override
    public String text() {
        List<String> lines = new ArrayList<>();
        line(lines, "fabric", fabric);
        line(lines, "phase", phase + (phase.equals(TerminalText.of(Phase.CONVERGED)) ? ""
            : " (daqfabric:doctor says why)"));
        line(lines, "generation", Long.toString(generation));
        line(lines, "switches", switches.total + ": " + switches.connected + " connected, " + switches.confirmed
            + " hold their program");
        line(lines, "links", links.total + ": " + linkCounts());
        line(lines, "DCMs", dcms.total + ": " + (dcms.cutOff == 0 ? "none cut off" : dcms.cutOff + " cut off")
            + (dcms.reachedByFewer == 0 ? "" : ", " + dcms.reachedByFewer + " not reached by all ROS"));
        line(lines, "bandwidth", String.format(Locale.ROOT, "%s of %s Gbps (%s)", NumberText.gbps(bandwidth),
            NumberText.gbps(nominalBandwidth), NumberText.percent(utilisation)));
        line(lines, "bottleneck", bottleneck.isEmpty() ? "none" : bottleneck);
        line(lines, "last repair", lastRepair.map(repair -> repair.detected + ", " + repair.cause).orElse("none"));
        lastRepair.ifPresent(repair -> line(lines, "", "computed after " + repair.computed + " ms, "
            + outcome(repair.confirmed, repair.movedDcms, repair.messages)));
        lastRebalanced.ifPresent(step -> line(lines, "rebalanced", step.begun + ", "
            + outcome(step.confirmed, step.movedDcms, step.messages)));
        errors.stream().limit(MAX_ERRORS).forEach(error -> line(lines, "error", error));
        if (errors.size() > MAX_ERRORS) {
            line(lines, "", (errors.size() - MAX_ERRORS) + " more: daqfabric:switches");
        }
        return String.join("\n", lines);
    }

    private String linkCounts() {
        StringJoiner counts = new StringJoiner(", ");
        counts.add(links.up + " up");
        count(counts, links.down, "down");
        count(counts, links.drained, "drained");
        count(counts, links.miscabled, "miscabled");
        count(counts, links.unknown, "not known yet");
        count(counts, links.heldBack, "held back");
        return counts.toString();
    }

    private static void count(StringJoiner counts, int number, String what) {
        if (number > 0) {
            counts.add(number + " " + what);
        }
    }

    private static String outcome(Optional<Double> confirmed, int movedDcms, int messages) {
        return confirmed.map(millis -> "confirmed after " + millis + " ms").orElse("not yet confirmed") + "; "
            + TerminalText.count(movedDcms, "DCM", "DCMs") + " moved, "
            + TerminalText.count(messages, "message", "messages");
    }

    private static void line(List<String> lines, String label, String text) {
        lines.add(label + " ".repeat(LABEL_WIDTH - label.length())
            + TerminalText.cut(TerminalText.clean(text), Table.WIDTH - LABEL_WIDTH));
    }
}
