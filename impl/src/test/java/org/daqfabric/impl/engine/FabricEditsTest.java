package org.daqfabric.impl.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.daqfabric.api.spec.DpdkSettings;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Policy;
import org.daqfabric.api.spec.PortSettings;
import org.daqfabric.api.spec.Switch;
import org.junit.jupiter.api.Test;

/** Fabrics made from another one, for tests, have all of it but what was to be changed. */
class FabricEditsTest {
    private static final FabricSpec SPEC = withEverything(TestFabrics.prototype());
    private static final String SPINE = SPEC.planes().get(0).spines().get(0).switchName();

    /** The same fabric with what a configuration may leave out. */
    private static FabricSpec withEverything(FabricSpec spec) {
        List<Switch> switches = spec.switches().stream().map(each -> new Switch(each.name(), each.systemId(),
            Optional.of(new Switch.OvsdbAddress("10.9.9.9", 6640)), each.bridge(), each.datapathType(),
            each.adminState(), new TreeMap<>(spec.links().stream().map(link -> link.end())
                .filter(end -> end.switchName().equals(each.name()))
                .collect(Collectors.toMap(end -> end.port(), end -> PortSettings.of(PortSettings.Kind.AFXDP)))),
            new DpdkSettings(Optional.of("2048"), Optional.of("2"), Optional.of("0"), Optional.of("-a")),
            Optional.of("certificate of " + each.name()))).toList();
        Policy policy = spec.policy();
        return new FabricSpec(spec.name(), spec.planes(), spec.pods(), switches, spec.links(),
            new Policy(policy.placement(), policy.daqring(), policy.protection(), policy.rules(),
                OptionalInt.of(9000)));
    }

    @Test
    void compressedChangesTheRules() {
        FabricSpec compressed = TestFabrics.compressed(SPEC);
        assertThat(compressed.policy().rules()).isEqualTo(Policy.Rules.COMPRESSED);
        assertThat(compressed).usingRecursiveComparison().ignoringFields("policy.rules").isEqualTo(SPEC);
    }

    @Test
    void shuffledChangesNothing() {
        assertThat(TestFabrics.shuffled(SPEC, new Random(1))).isEqualTo(SPEC);
    }

    @Test
    void renameChangesNames() {
        FabricSpec renamed = FabricEdits.rename(SPEC, Map.of(SPINE, "another"));
        assertThat(renamed).isNotEqualTo(SPEC);
        assertThat(FabricEdits.rename(renamed, Map.of("another", SPINE))).isEqualTo(SPEC);
    }

    @Test
    void movesChangeThePlace() {
        Random random = new Random(1);
        assertPlacesAlone(RandomMoves.toBridge(SPINE, random).apply(SPEC), "bridge");
        assertPlacesAlone(RandomMoves.toNode(SPINE, random).apply(SPEC), "systemId");
        FabricSpec elsewhere = RandomMoves.toPlane(SPEC, SPINE, random).orElseThrow();
        Switch moved = elsewhere.switches().stream().filter(each -> each.name().startsWith("moved-spine-")).findFirst()
            .orElseThrow();
        assertThat(moved.withName(SPINE)).isEqualTo(switchOf(SPEC, SPINE));
    }

    private static void assertPlacesAlone(FabricSpec changed, String field) {
        assertThat(switchOf(changed, SPINE)).isNotEqualTo(switchOf(SPEC, SPINE));
        assertThat(changed).usingRecursiveComparison().ignoringFields("switches." + field).isEqualTo(SPEC);
    }

    private static Switch switchOf(FabricSpec spec, String name) {
        return spec.switches().stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
    }

    /** Names, too, of which the settings of ports have some. */
    @Test
    void sharedNodesKeepAllButNames() {
        assertAllButNames(SharedNodes.of(SPEC, new Random(1), 3));
        assertAllButNames(SharedNodes.twin(SPEC, "twin"));
    }

    private static void assertAllButNames(FabricSpec other) {
        assertThat(other.switches()).usingRecursiveComparison().ignoringFields("name", "systemId", "bridge", "ports")
            .isEqualTo(SPEC.switches());
        assertThat(other.switches()).allSatisfy(each -> assertThat(each.ports().keySet()).isEqualTo(
            other.links().stream().map(link -> link.end()).filter(end -> end.switchName().equals(each.name()))
                .map(end -> end.port()).collect(Collectors.toSet())));
        assertThat(other.switches()).anyMatch(each -> !each.ports().isEmpty());
        assertThat(other.policy()).isEqualTo(SPEC.policy());
        assertThat(other.links()).hasSameSizeAs(SPEC.links());
        assertThat(other.pods()).usingRecursiveComparison().ignoringFieldsMatchingRegexes(".*switchName")
            .isEqualTo(SPEC.pods());
    }
}
