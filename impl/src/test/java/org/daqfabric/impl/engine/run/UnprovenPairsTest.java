package org.daqfabric.impl.engine.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.daqfabric.api.run.Concern;
import org.daqfabric.api.run.Selection;
import org.daqfabric.api.state.FabricState.DcmPlacement;
import org.daqfabric.api.state.FabricState.Proof;
import org.junit.jupiter.api.Test;

class UnprovenPairsTest {
    private static final SortedSet<String> NONE = Collections.emptySortedSet();

    private static SortedSet<String> names(String... names) {
        return new TreeSet<>(Set.of(names));
    }

    private static DcmPlacement placement(String dcm, SortedSet<String> missed, SortedSet<String> old) {
        return new DcmPlacement(dcm, 1, 1, OptionalInt.empty(), 0, 2)
            .with(new Proof(Optional.empty(), missed, old));
    }

    /** Only where both take part, and so that the run is refused. */
    @Test
    void concernsAreOfThoseThatTakePart() {
        List<DcmPlacement> placements = List.of(placement("d1", names("r1", "r2"), NONE),
            placement("d2", NONE, names("r2")), placement("d3", names("r1"), names("r1")));

        List<Concern> found = UnprovenPairs.of(placements, new Selection(names("r1"), names("d1", "d2")));
        assertThat(found).singleElement().satisfies(concern -> {
            assertThat(concern.name()).isEqualTo("d1");
            assertThat(concern.kind().isSevere()).isTrue();
            assertThat(concern.detail()).contains("ROS r1 do not arrive").doesNotContain("r2");
        });
        assertThat(UnprovenPairs.of(placements, new Selection(names("r2"), names("d1", "d2", "d3"))))
            .extracting(Concern::name).containsExactly("d1", "d2");
        assertThat(UnprovenPairs.of(placements, new Selection(names("r3"), names("d1", "d2", "d3")))).isEmpty();
    }

    @Test
    void manyAreNotAllNamed() {
        SortedSet<String> ros = new TreeSet<>();
        for (int each = 10; each < 30; each++) {
            ros.add("r" + each);
        }
        assertThat(UnprovenPairs.of(List.of(placement("d", NONE, ros)), new Selection(ros, names("d"))))
            .singleElement().satisfies(concern ->
                assertThat(concern.detail()).contains("r17 and 12 more", "proof-age"));
    }
}
