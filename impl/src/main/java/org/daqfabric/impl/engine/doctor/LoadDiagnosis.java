package org.daqfabric.impl.engine.doctor;

import static org.daqfabric.impl.engine.doctor.Diagnosed.note;
import static org.daqfabric.impl.engine.doctor.Diagnosed.ok;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FabricState.LinkState;
import org.daqfabric.api.state.FabricState.OperState;
import org.daqfabric.api.state.FabricState.Traffic;
import org.daqfabric.api.state.TrafficMatrix.Weights;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.ConfiguredFabric;

/**
 * What links carry, beside what they are planned to carry. All of it is notes: the network works, and could perhaps
 * carry more.
 */
final class LoadDiagnosis {
    private static final int SHOWN = 3;
    /** Part of a link's capacity below which it carries no events, but the switches' own packets at most. */
    private static final double LITTLE = 0.001;
    /** Part of a link's capacity from which on it is a limit: TCP keeps no link fuller for half a minute. */
    private static final double FULL = 0.9;
    /** Part of a link's capacity below which nobody needs to know how it got there. */
    private static final double NOTABLE = 0.1;
    /** How far above its part of the plan a link is unlike the plan: events are no steady stream. */
    private static final double UNLIKE = 1.5;
    /** What makes it worth to configure other weights: those measured in a few seconds are a little off. */
    private static final double GAIN = 1.2;

    private final String fabric;
    private final List<Direction> carried;
    private final List<Diagnosed> found = new ArrayList<>();

    /** What a link carries in one direction, Gbps. */
    private record Direction(PortId from, PortId to, double capacity, double planned, double measured) {
        private double part() {
            return measured / capacity;
        }

        @Override
        public String toString() {
            return from + " -> " + to;
        }
    }

    private LoadDiagnosis(FabricSpec spec, FabricState state) {
        fabric = spec.name();
        carried = new ArrayList<>();
        Map<PortId, Link> links = spec.links().stream().collect(Collectors.toMap(Link::end, Function.identity()));
        state.links().stream().filter(each -> links.containsKey(each.end()) && each.operState() == OperState.UP)
            .forEach(each -> add(links.get(each.end()), each));
        carried.sort(Comparator.comparingDouble((Direction each) -> -each.part()).thenComparing(Direction::toString));
    }

    private void add(Link link, LinkState state) {
        add(link.end(), link.peer(), link.capacity(), state.toPeer());
        add(link.peer(), link.end(), link.capacity(), state.fromPeer());
    }

    private void add(PortId from, PortId to, double capacity, Traffic traffic) {
        traffic.measured().ifPresent(measured ->
            carried.add(new Direction(from, to, capacity, traffic.planned(), measured)));
    }

    static List<Diagnosed> of(DiagnosisInput input) {
        return input.fabrics().stream()
            .filter(each -> each.state().isPresent() && carriesEvents(each.spec(), each.state().get()))
            .flatMap(each -> new LoadDiagnosis(each.spec(), each.state().get()).check(each).stream()).toList();
    }

    /** Whether any link carries enough that it may be events. */
    static boolean carriesEvents(FabricSpec spec, FabricState state) {
        List<Direction> carried = new LoadDiagnosis(spec, state).carried;
        return !carried.isEmpty() && carried.get(0).part() >= LITTLE;
    }

    private List<Diagnosed> check(ConfiguredFabric checked) {
        fullest();
        unlikePlanned();
        checked.measured().ifPresent(this::weights);
        return found;
    }

    private void fullest() {
        Direction fullest = carried.get(0);
        long full = carried.stream().filter(each -> each.part() >= FULL).count();
        String carries = fullest + " carries " + gbps(fullest.measured) + " of " + gbps(fullest.capacity) + " Gbps";
        found.add(full == 0 ? ok(subject(), "the fullest, " + carries) : note(subject(),
            (full == 1 ? "one is full: " : full + " are full, the fullest: ") + carries + ", and was planned for "
                + gbps(fullest.planned), "events are built no faster than that: docs/planning.md says what carries"
                + " more"));
    }

    /** Where traffic is as planned, all links are in the same proportion to their plan. */
    private void unlikePlanned() {
        List<Direction> planned = carried.stream().filter(each -> each.planned > 0).toList();
        double all = planned.stream().mapToDouble(Direction::planned).sum();
        double scale = all == 0 ? 0 : planned.stream().mapToDouble(Direction::measured).sum() / all;
        List<Direction> unlike = carried.stream()
            .filter(each -> each.part() >= NOTABLE && each.measured > UNLIKE * scale * each.planned).toList();
        if (!unlike.isEmpty()) {
            found.add(note(subject(), (unlike.size() == 1 ? "one carries" : unlike.size() + " carry")
                + " far more than is planned when so much is sent: " + unlike.stream().limit(SHOWN)
                    .map(each -> each + " " + gbps(each.measured) + " Gbps instead of " + gbps(scale * each.planned))
                    .collect(Collectors.joining(", ")) + (unlike.size() > SHOWN ? ", ..." : ""),
                "some DCMs build more events, or some ROS send more, than their weights say, or others send too:"
                    + " daqfabric:plan --measured 10 tells who"));
        }
    }

    private void weights(Weights measured) {
        if (measured.configured() >= GAIN * measured.bandwidth()) {
            found.add(note("fabric " + fabric, "the weights of its ROS and DCMs are not those of its traffic: it"
                + " carries " + gbps(measured.bandwidth()) + " Gbps of that, and would carry "
                + gbps(measured.configured()),
                "daqfabric:plan --measured 10 shows what it would change to configure them"));
        }
    }

    private String subject() {
        return "links of " + fabric;
    }

    /** With more digits where little is carried. */
    private static String gbps(double value) {
        return String.format(Locale.ROOT, value < 1 ? "%.3f" : "%.1f", value);
    }
}
