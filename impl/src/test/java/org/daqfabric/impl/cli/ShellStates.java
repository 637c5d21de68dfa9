package org.daqfabric.impl.cli;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.Stream;
import org.daqfabric.api.placement.Capacity;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FabricState.DcmPlacement;
import org.daqfabric.api.state.FabricState.LinkState;
import org.daqfabric.api.state.FabricState.OperState;
import org.daqfabric.api.state.FabricState.Phase;
import org.daqfabric.api.state.FabricState.Rebalanced;
import org.daqfabric.api.state.FabricState.Repair;
import org.daqfabric.api.state.FabricState.Role;
import org.daqfabric.api.state.FabricState.Silence;
import org.daqfabric.api.state.FabricState.SpineLoad;
import org.daqfabric.api.state.FabricState.SwitchState;
import org.daqfabric.api.state.FabricState.Traffic;

/** Fabric states: a converged one, and random ones. */
final class ShellStates {
    static final Instant SINCE = Instant.parse("2026-11-21T10:11:12.345678Z");
    private static final String LONG = "could not set configuration (No such device)\n\u001b[31mand more ".repeat(20);

    private ShellStates() {
    }

    static FabricState converged(FabricSpec spec) {
        return new FabricState(spec.name(), Phase.CONVERGED, 7,
            spec.switches().stream().map(each -> new SwitchState(each.name(), role(each), true, true, 0x1234abcdL,
                OptionalLong.of(7), 100, 12, OptionalInt.of(0), "")).toList(),
            spec.links().stream().map(link -> new LinkState(link.end(), OperState.UP, SINCE, Optional.of(link.peer()),
                false)).toList(), List.of(),
            NameLookup.dcms(spec).map(dcm -> new DcmPlacement(dcm, 1, 2, OptionalInt.of(1), 3, 6)).toList(),
            spines(spec).toList(), List.of(), List.of(),
            new Capacity(120, 120, spec.links().get(0).end() + " -> " + spec.links().get(0).peer(), 1),
            Optional.empty(), Optional.empty(), Optional.empty());
    }

    static FabricState randomState(FabricSpec spec, Random random) {
        return new FabricState(spec.name(), any(random, Phase.values()), random.nextLong(),
            spec.switches().stream().map(each -> new SwitchState(each.name(), role(each), random.nextBoolean(),
                random.nextBoolean(), random.nextLong(),
                random.nextBoolean() ? OptionalLong.of(random.nextLong()) : OptionalLong.empty(), random.nextInt(),
                random.nextInt(), random.nextBoolean() ? OptionalInt.of(random.nextInt()) : OptionalInt.empty(),
                random.nextBoolean() ? "" : LONG.substring(random.nextInt(LONG.length())))).toList(),
            spec.links().stream().map(link -> randomState(link, random)).toList(), List.of(),
            NameLookup.dcms(spec).map(dcm -> new DcmPlacement(dcm, random.nextInt(4), random.nextInt(3),
                random.nextBoolean() ? OptionalInt.of(random.nextInt(3)) : OptionalInt.empty(), random.nextLong(),
                random.nextInt(1000))).toList(),
            spines(spec).toList(), List.of(), List.of(),
            new Capacity(random.nextBoolean() ? Double.NaN : 1e12 * random.nextDouble(), Double.POSITIVE_INFINITY,
                LONG, random.nextDouble()),
            Optional.of(new Repair(LONG, SINCE, SINCE.plusNanos(random.nextInt()), Optional.of(SINCE.plusSeconds(9)),
                random.nextInt(), random.nextInt())),
                Optional.of(new Rebalanced(LONG, SINCE, Optional.of(SINCE.plusSeconds(9)), random.nextInt(),
                random.nextInt())), Optional.of(SINCE));
    }

    private static LinkState randomState(Link link, Random random) {
        return new LinkState(link.end(), any(random, OperState.values()), SINCE,
            random.nextBoolean() ? Optional.empty() : Optional.of(new PortId(LONG, LONG)), random.nextBoolean(),
            randomTraffic(random), randomTraffic(random), new Silence(random.nextBoolean(), random.nextBoolean()));
    }

    private static Traffic randomTraffic(Random random) {
        return new Traffic(random.nextDouble(1e6), random.nextBoolean() ? OptionalDouble.empty()
            : OptionalDouble.of(random.nextDouble(1e6)));
    }

    private static <T> T any(Random random, T[] values) {
        return values[random.nextInt(values.length)];
    }

    private static Role role(Switch of) {
        return of.name().startsWith("spine") ? Role.SPINE : of.name().startsWith("leaf") ? Role.LEAF
            : of.name().startsWith("ros") ? Role.ROS : Role.HLT_RACK;
    }

    private static Stream<SpineLoad> spines(FabricSpec spec) {
        return spec.planes().stream().flatMap(plane -> plane.spines().stream().map(spine ->
            new SpineLoad(plane.id(), spine.id(), 24, 0.75)));
    }
}
