package org.daqfabric.impl.engine.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A system-id that was meant to be another one is recognised. */
class NameSimilarityTest {
    @ParameterizedTest
    @CsvSource({"p1s1, P1S1, true", "p1s1, p1s2, false", "p1s1, p1s1.cern.ch, true", "leaf-1-1, laef-1-1, false",
        "leaf-1-1, lef-1-1, true", "leaf-1-1, leaf-1-11, false", "a, b, false", "leaf_1_1, leaf-1-1, true",
        "ros, rosx, true", "'', p1s1, false"})
    void likeNames(String one, String other, boolean alike) {
        assertThat(NameSimilarity.of(one, other)).isEqualTo(alike);
        assertThat(NameSimilarity.of(other, one)).isEqualTo(alike);
    }
}
