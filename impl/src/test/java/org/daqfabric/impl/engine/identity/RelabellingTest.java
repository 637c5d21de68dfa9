package org.daqfabric.impl.engine.identity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.daqfabric.api.placement.Identities;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.impl.engine.FabricEdits;
import org.daqfabric.impl.engine.Seeds;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.compile.PortAllocator;
import org.daqfabric.impl.engine.place.Placer;
import org.daqfabric.impl.engine.place.Scope;
import org.daqfabric.impl.engine.topology.Topology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Labels change, identities stay. */
class RelabellingTest {
    private static final int CASES = 200;

    /**
     * Whatever labels change: every bridge keeps its datapath-id and mark, and the decision is the same in the new
     * labels.
     */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void labelsChangeAndNothingElse(long seed) {
        Random random = new Random(seed);
        for (int number = 0; number < CASES; number++) {
            FabricSpec spec = TestFabrics.generated(random);
            FabricSpec edited = relabelled(spec, random);
            Topology before = new Topology(spec);
            Topology after = new Topology(edited, before.identities());
            Relabelling labels = Relabelling.between(before.identities(), after.identities());

            before.identities().switches().forEach((name, identity) -> {
                String now = labels.name(name).orElseThrow();
                assertThat(after.identities().of(now).datapathId()).as("seed %d", seed)
                    .isEqualTo(identity.datapathId());
                assertThat(after.mark(now)).isEqualTo(identity.mark());
            });
            assertThat(labels.apply(spec)).as("seed %d case %d", seed, number).isEqualTo(edited);

            Placement placement = Placer.place(before, UnusableLinks.ALL_UP, Placement.EMPTY, Scope.OPTIMISE);
            PortNumbers numbers = PortAllocator.allocate(before, PortNumbers.EMPTY, new TreeMap<>());
            Relabelling back = Relabelling.between(after.identities(), before.identities());
            assertThat(back.apply(labels.apply(placement))).isEqualTo(placement);
            assertThat(back.apply(labels.apply(numbers))).isEqualTo(numbers);
        }
    }

    private static FabricSpec relabelled(FabricSpec spec, Random random) {
        List<String> names = new ArrayList<>(spec.switches().stream().map(Switch::name).toList());
        List<String> others = new ArrayList<>(names);
        Collections.shuffle(others, random);
        Map<String, String> chosen = new HashMap<>();
        int count = random.nextInt(names.size() + 1);
        for (int each = 0; each < names.size(); each++) {
            chosen.put(names.get(each), each < count && random.nextBoolean() ? "new-" + each : others.get(each));
        }
        return FabricEdits.renumberPods(FabricEdits.renumberPlanes(FabricEdits.renumberSpines(
            FabricEdits.rename(spec, chosen), mixed(random)), mixed(random)), mixed(random));
    }

    private static IntUnaryOperator mixed(Random random) {
        List<Integer> ids = new ArrayList<>(IntStream.rangeClosed(1, 300).boxed().toList());
        Collections.shuffle(ids, random);
        return random.nextInt(4) == 0 ? id -> id : id -> ids.get(id);
    }

    /** A name that goes over to another bridge does not take the datapath-id along. */
    @Test
    void aNewBridgeHasAnotherDatapathId() {
        FabricSpec spec = TestFabrics.prototype();
        String name = spec.switches().get(0).name();
        Identities before = IdentityAssignment.of(spec, Identities.NONE);
        FabricSpec moved = FabricEdits.change(spec, name, each -> new Switch(name, "another node", each.ovsdbAddress(),
            each.bridge(), each.datapathType(), each.adminState()));
        Identities after = IdentityAssignment.of(moved, before);
        assertThat(after.of(name).datapathId()).isNotEqualTo(before.of(name).datapathId());
        assertThat(datapathIds(after)).hasSize(spec.switches().size());
        assertThat(Relabelling.between(before, after).changesLabels()).isFalse();
        assertThat(Relabelling.between(before, after).name(name)).isEmpty();
    }

    /** A bridge leaves, and its name goes over to another: until it is gone it has a name that the model allows. */
    @Test
    void aBridgeWithoutANameGetsAnAllowedOne() {
        String longest = "n".repeat(64);
        FabricSpec spec = FabricEdits.rename(TestFabrics.prototype(), Map.of("leaf-1-1", longest));
        FabricSpec renamed = FabricEdits.rename(spec, Map.of(longest, "first", "leaf-2-1", longest));
        FabricSpec next = FabricEdits.change(renamed, "first", each -> new Switch("first", each.systemId(),
            each.ovsdbAddress(), "br-new", each.datapathType(), each.adminState()));
        FabricSpec between = Relabelling.between(spec, next).apply(spec);
        assertThat(between.switches()).extracting(Switch::name).doesNotHaveDuplicates()
            .contains(longest, "n".repeat(62) + ".2")
            .allMatch(name -> name.matches("[A-Za-z0-9_][A-Za-z0-9_.\\-]{0,63}"));
    }

    /** A decision of a version that stored no identities is taken as it is. */
    @Test
    void decisionsWithoutIdentitiesKeepTheirLabels() {
        FabricSpec spec = TestFabrics.prototype();
        Identities now = IdentityAssignment.of(spec, IdentityAssignment.byName(spec));
        assertThat(Relabelling.between(IdentityAssignment.byName(spec), now).changesLabels()).isFalse();
        assertThat(Long.toHexString(now.of("spine-1-1").datapathId())).isEqualTo("2faea2d3d2a");
    }

    private static Set<Long> datapathIds(Identities identities) {
        return identities.switches().values().stream().map(each -> each.datapathId()).collect(Collectors.toSet());
    }
}
