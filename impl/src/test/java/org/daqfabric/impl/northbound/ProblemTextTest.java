package org.daqfabric.impl.northbound;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.daqfabric.api.run.Answer.Reason;
import org.daqfabric.impl.engine.check.Location;
import org.daqfabric.impl.engine.check.Problem;
import org.junit.jupiter.api.Test;

/** Problems in the words that users of RESTCONF read. */
class ProblemTextTest {
    /** A problem is reported with the instance path of its node. */
    @Test
    void writesInstancePaths() {
        assertThat(ProblemText.path(Location.fabrics())).isEqualTo("/daqfabric:fabrics");
        assertThat(ProblemText.path(Location.fabric("x").entry("link", "switch", "a", "port", "p'q").child("capacity")))
            .isEqualTo("/daqfabric:fabrics/fabric[name='x']/link[switch='a'][port=\"p'q\"]/capacity");
        assertThat(ProblemText.path(Location.input())).isEqualTo("/input");
        assertThat(ProblemText.path(Location.input("fabric"))).isEqualTo("/input/fabric");
    }

    /** Problems of a candidate are reported with a path in the input; those of other fabrics are not. */
    @Test
    void movesProblemsOfACandidateIntoTheInput() {
        Location configured = Location.fabric("x");
        Location given = Location.input("candidate");

        assertThat(ProblemText.path(configured.entry("plane", "id", 1).moved(configured, given)))
            .isEqualTo("/input/candidate/plane[id='1']");
        assertThat(ProblemText.path(Location.fabric("y").child("policy").moved(configured, given)))
            .isEqualTo("/daqfabric:fabrics/fabric[name='y']/policy");
    }

    /** A long list of problems is shortened. */
    @Test
    void showsTenProblemsAndCountsTheRest() {
        List<Problem> many = IntStream.rangeClosed(1, 12)
            .mapToObj(i -> new Problem(Location.input("p" + i), "wrong")).toList();

        assertThat(ProblemText.of(many)).startsWith("/input/p1: wrong\n/input/p2: wrong\n").contains("/p10: wrong")
            .doesNotContain("/p11").endsWith("and 2 more problems");
        assertThat(ProblemText.of(many.subList(0, 1))).isEqualTo("/input/p1: wrong");
    }

    /** A restarted controller repeats stored answers unchanged. */
    @Test
    void readsARefusalAsItWasWritten() {
        List<Reason> reasons = List.of(new Reason(Optional.of("dcm"), "DCM d is in partition p: choose others"),
            new Reason(Optional.of(""), "name a ros or dcm"), new Reason(Optional.empty(), "switch s: not yet"));
        String text = "/input/dcm: DCM d is in partition p: choose others\n/input: name a ros or dcm\nswitch s: not "
            + "yet";

        assertThat(RefusalText.of(reasons)).isEqualTo(text);
        assertThat(RefusalText.read(text)).isEqualTo(reasons);
    }
}
