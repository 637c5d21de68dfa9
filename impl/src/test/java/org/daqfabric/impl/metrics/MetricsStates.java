package org.daqfabric.impl.metrics;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.daqfabric.api.placement.Capacity;
import org.daqfabric.api.spec.Dcm;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.state.DropEpisode;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FabricState.DcmPlacement;
import org.daqfabric.api.state.FabricState.HostDrops;
import org.daqfabric.api.state.FabricState.LinkState;
import org.daqfabric.api.state.FabricState.Loss;
import org.daqfabric.api.state.FabricState.OperState;
import org.daqfabric.api.state.FabricState.Phase;
import org.daqfabric.api.state.FabricState.Repair;
import org.daqfabric.api.state.FabricState.RingState;
import org.daqfabric.api.state.FabricState.Role;
import org.daqfabric.api.state.FabricState.SpineLoad;
import org.daqfabric.api.state.FabricState.SwitchState;
import org.daqfabric.api.state.FabricState.Traffic;
import org.daqfabric.api.state.PortState;
import org.daqfabric.api.state.RingDrops;
import org.daqfabric.impl.controller.spi.Recorder.SwitchCounts;

/** Random states of a fabric, consistent or not. */
final class MetricsStates {
    private MetricsStates() {
    }

    /** One end of every link, and the ports of DCMs. */
    private static Stream<PortId> ports(FabricSpec spec) {
        return Stream.concat(spec.links().stream().map(Link::peer),
            spec.pods().stream().flatMap(pod -> pod.racks().stream()).flatMap(rack -> rack.dcms().stream()
                .filter(dcm -> !dcm.port().equals(Dcm.LOCAL)).map(dcm -> new PortId(rack.switchName(), dcm.port()))))
            .distinct();
    }

    static FabricState any(Random random, FabricSpec spec) {
        List<SwitchState> switches = spec.switches().stream().map(each -> new SwitchState(each.name(),
            pick(random, Role.values()), random.nextBoolean(), random.nextBoolean(), false,
            random.nextLong(), OptionalLong.empty(), random.nextInt(100), random.nextInt(100),
            random.nextBoolean() ? OptionalInt.empty() : OptionalInt.of(random.nextInt(9)),
            Optional.of(new HostDrops(5, 1)),
            random.nextBoolean() ? "" : "broken \"so\"\n\\")).toList();
        Traffic traffic = new Traffic(1, OptionalDouble.empty(), Optional.of(new Loss(0, 7)));
        List<LinkState> links = spec.links().stream().map(each -> new LinkState(each.end(),
            pick(random, OperState.values()), Instant.EPOCH, Optional.empty(), random.nextInt(5) == 0)
            .with(traffic, traffic)).toList();
        List<PortState> ports = ports(spec).map(port -> new PortState(port,
            random.nextBoolean() ? OptionalDouble.empty() : OptionalDouble.of(random.nextInt(100)), "full",
            OptionalLong.empty(), List.of(new PortState.Queue(0, 2, 0, random.nextInt(50), 50 + random.nextInt(51))),
            random.nextInt(3) == 0 ? "slow" : "")).toList();
        List<DcmPlacement> placements = new ArrayList<>();
        List<RingState> rings = new ArrayList<>();
        List<SpineLoad> spines = new ArrayList<>();
        int ros = spec.pods().stream().mapToInt(pod -> pod.ros().size()).sum();
        spec.pods().forEach(pod -> pod.racks().forEach(rack -> rack.dcms().forEach(dcm -> {
            placements.add(new DcmPlacement(dcm.name(), 1, 1, OptionalInt.empty(), random.nextInt(9),
                random.nextInt(ros + 1)));
            rings.add(new RingState(rack.switchName(), dcm.name(), random.nextInt(100), random.nextInt(100),
                random.nextInt(100), random.nextInt(100), random.nextInt(100), random.nextInt(100),
                random.nextInt(100)));
        })));
        spec.planes().forEach(plane -> plane.spines().forEach(spine ->
            spines.add(new SpineLoad(plane.id(), spine.id(), random.nextInt(100), random.nextDouble()))));
        return new FabricState(spec.name(), pick(random, Phase.values()), random.nextInt(100), switches, links,
            ports, placements, spines, rings, drops(random), new Capacity(random.nextInt(100), 100, "",
            random.nextDouble()),
            Optional.empty(), Optional.empty(), Optional.empty());
    }

    static DropEpisode drop(String switchName, long second, long run, long dropped) {
        return DropEpisode.begun(switchName, "d", new RingDrops(Instant.ofEpochSecond(second), Duration.ZERO, dropped,
            100, 1, "0 100 0")).in(Optional.of(new DropEpisode.Run("det", run)));
    }

    static FabricState with(FabricState state, List<DropEpisode> drops) {
        return new FabricState(state.fabric(), state.phase(), state.generation(), state.switches(), state.links(),
            state.ports(), state.placements(), state.spines(), state.daqrings(), drops, state.capacity(),
            state.lastRepair(), state.lastRebalanced(),
            Optional.empty());
    }

    /** In no run, or in one of two. */
    private static List<DropEpisode> drops(Random random) {
        List<DropEpisode> drops = new ArrayList<>();
        for (int number = random.nextInt(5); number > 0; number--) {
            drops.add(DropEpisode.begun("s" + number, "d", new RingDrops(Instant.ofEpochSecond(random.nextInt(1000)),
                Duration.ZERO, random.nextInt(100), 100, 1, "0 100 0")).in(random.nextInt(3) == 0 ? Optional.empty()
                : Optional.of(new DropEpisode.Run("det", random.nextInt(2)))));
        }
        return drops;
    }

    static FabricState with(FabricState state, Repair repair) {
        return new FabricState(state.fabric(), state.phase(), state.generation(), state.switches(), state.links(),
            state.ports(), state.placements(), state.spines(), state.daqrings(), state.drops(), state.capacity(),
            Optional.of(repair), state.lastRebalanced(),
            Optional.empty());
    }

    static Repair repair(String cause, int detected, int computed, int confirmed) {
        return new Repair(cause, millis(detected), millis(computed),
            confirmed < 0 ? Optional.empty() : Optional.of(millis(confirmed)), 3, 7);
    }

    private static Instant millis(int millis) {
        return Instant.EPOCH.plus(Duration.ofMillis(millis));
    }

    static SortedMap<String, SwitchCounts> counts(FabricSpec spec, long sent) {
        SortedMap<String, SwitchCounts> counts = new TreeMap<>();
        spec.switches().forEach(each -> counts.put(each.name(), new SwitchCounts(30, 20, 10, sent, sent / 10)));
        return counts;
    }

    static <T> T pick(Random random, T[] values) {
        return values[random.nextInt(values.length)];
    }
}
