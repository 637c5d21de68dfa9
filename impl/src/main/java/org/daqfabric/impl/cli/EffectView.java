package org.daqfabric.impl.cli;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.daqfabric.api.placement.Capacity;
import org.daqfabric.api.plan.Effect;
import org.daqfabric.api.plan.Effect.Count;
import org.daqfabric.api.plan.Effect.Place;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.state.TrafficMatrix.Weights;

/** The effect that a change or failures would have. */
record EffectView(String fabric, int messages, Bandwidth before, Bandwidth after, List<Move> movedDcms,
        List<CutOff> cutOffDcms, List<SwitchChange> switches, Optional<List<Weight>> weights) implements View {
    private static final int MOST_WEIGHTS = 10;
    private static final int WEIGHT_DIGITS = 3;
    private static final double LEAST = 0.001;

    record Bandwidth(double bandwidth, double utilisation, String bottleneck) {
        private static Bandwidth of(Capacity capacity) {
            return new Bandwidth(NumberText.round(capacity.bandwidth(), 3), NumberText.round(capacity.utilisation(), 4),
                capacity.bottleneck());
        }

        private String text() {
            return NumberText.gbps(bandwidth) + " Gbps (" + NumberText.percent(utilisation) + ")"
                + (bottleneck.isEmpty() ? "" : ", bottleneck " + bottleneck);
        }
    }

    /**
     * A DCM that moves.
     *
     * @param from the spine, or only the plane if no spine is needed
     */
    record Move(String dcm, String from, String to) {
    }

    record CutOff(String dcm, int reachableRos) {
    }

    /**
     * The weight of a ROS or DCM.
     *
     * @param configured relative to the mean of all ROS, or all DCMs, as measured ones are
     */
    record Weight(String name, double configured, double measured) {
        private double difference() {
            return Math.abs(Math.log(measured / Math.max(configured, LEAST)));
        }
    }

    record SwitchChange(String name, Optional<String> bridge, Count rules, Count groups, Count daqrings, Count ports,
            int messages) {
    }

    private record Relocation(String from, String to) implements Comparable<Relocation> {
        @Override
        public int compareTo(Relocation other) {
            return from.equals(other.from) ? to.compareTo(other.to) : from.compareTo(other.from);
        }
    }

    static EffectView of(FabricSpec spec, Effect effect) {
        return of(spec, effect, Optional.empty());
    }

    /** The effect of configuring measured weights, if any were. */
    static EffectView of(FabricSpec spec, Effect effect, Optional<Weights> measured) {
        return new EffectView(spec.name(), effect.messages(), Bandwidth.of(effect.before()),
            Bandwidth.of(effect.after()), effect.moved().stream()
            .map(move -> new Move(move.dcm(), place(spec, move.from()), place(spec, move.to())))
                .toList(),
            effect.cutOff().stream().map(dcm -> new CutOff(dcm.dcm(), dcm.reachableRos())).toList(),
            effect.switches().stream().map(each -> new SwitchChange(each.name(), each.bridge().map(TerminalText::of),
            each.rules(),
                each.groups(), each.daqrings(), each.ports(), each.messages())).toList(),
            measured.map(weights -> weights(spec, weights)));
    }

    private static List<Weight> weights(FabricSpec spec, Weights measured) {
        Map<String, Double> ros = new TreeMap<>();
        Map<String, Double> dcms = new TreeMap<>();
        spec.pods().forEach(pod -> {
            pod.ros().forEach(each -> ros.put(each.name(), each.fragmentWeight()));
            pod.racks().forEach(rack -> rack.dcms().forEach(each -> dcms.put(each.name(), each.weight())));
        });
        return Stream.concat(weights(ros, measured.ros()), weights(dcms, measured.dcms())).toList();
    }

    private static Stream<Weight> weights(Map<String, Double> configured, Map<String, Double> measured) {
        double mean = configured.values().stream().mapToDouble(Double::doubleValue).average().orElse(1);
        return configured.entrySet().stream().map(each -> new Weight(each.getKey(),
            NumberText.round(each.getValue() / mean, WEIGHT_DIGITS),
            measured.getOrDefault(each.getKey(), each.getValue())));
    }

    private static String place(FabricSpec spec, Place place) {
        return place.plane() == 0 ? "no path" : place.spine().isEmpty() ? "plane " + place.plane()
            : NameLookup.spine(spec, place.plane(), place.spine().getAsInt())
                .orElse("plane " + place.plane() + " spine " + place.spine().getAsInt());
    }

    @Override
    public String text() {
        List<String> lines = new ArrayList<>();
        lines.addAll(TerminalText.wrap("before: " + before.text(), 0));
        lines.addAll(TerminalText.wrap("after:  " + after.text(), 0));
        lines.add(TerminalText.count(messages, "message", "messages") + " to "
            + TerminalText.count(switches.size(), "switch", "switches")
            + ", " + TerminalText.count(movedDcms.size(), "DCM moves", "DCMs move"));
        if (!movedDcms.isEmpty()) {
            lines.add("");
            lines.add(moves());
        }
        weights.ifPresent(all -> {
            lines.add("");
            lines.add(differences(all));
        });
        if (!cutOffDcms.isEmpty()) {
            lines.add("");
            lines.add("No longer reached by every ROS:");
            Table table = new Table("DCM", "ROS");
            cutOffDcms.forEach(row -> table.row(row.dcm, row.reachableRos));
            lines.add(table.text());
        }
        if (!switches.isEmpty()) {
            lines.add("");
            lines.add(changes());
        }
        return String.join("\n", lines);
    }

    /** The weights that differ most: there may be thousands. */
    private static String differences(List<Weight> all) {
        Table table = new Table("WEIGHT OF", "CONFIGURED", "MEASURED");
        all.stream().sorted(Comparator.comparingDouble(Weight::difference).reversed().thenComparing(Weight::name))
            .limit(MOST_WEIGHTS).forEach(row -> table.row(row.name, row.configured, row.measured));
        return table.text() + (all.size() > MOST_WEIGHTS ? "\n" + (all.size() - MOST_WEIGHTS)
            + " more, which differ less: --json has them" : "");
    }

    /** One row for all DCMs with the same move: there may be hundreds. */
    private String moves() {
        Map<Relocation, List<String>> relocations = new TreeMap<>();
        movedDcms.forEach(move -> relocations.computeIfAbsent(new Relocation(move.from, move.to),
            relocation -> new ArrayList<>()).add(move.dcm));
        Table table = new Table("FROM", "TO", "DCMS", "NAMES");
        relocations.forEach((relocation, dcms) ->
            table.row(relocation.from, relocation.to, dcms.size(), String.join(", ", dcms)));
        return table.text();
    }

    private String changes() {
        Table table = new Table("SWITCH", "BRIDGE", "RULES", "GROUPS", "DAQRINGS", "PORTS", "MESSAGES");
        switches.forEach(row -> table.row(row.name, row.bridge, signed(row.rules), signed(row.groups),
            signed(row.daqrings), signed(row.ports), row.messages));
        return table.text();
    }

    /** Such as {@code +12 ~3 -4}: added, changed, removed. */
    private static String signed(Count count) {
        List<String> terms = new ArrayList<>();
        addSigned(terms, "+", count.added());
        addSigned(terms, "~", count.changed());
        addSigned(terms, "-", count.removed());
        return String.join(" ", terms);
    }

    private static void addSigned(List<String> terms, String sign, int count) {
        if (count > 0) {
            terms.add(sign + count);
        }
    }
}
