package org.daqfabric.impl.platform;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LostReportersTest {
    private static final Set<String> ALL = Set.of("a", "b", "c");
    /** The view of a, when c has reported b, which has returned since, and has died. */
    private static final MembershipView APART =
        new MembershipView("a", ALL, Map.of("b", Set.of("c"), "c", Set.of("a")));

    private final AtomicLong nanos = new AtomicLong();
    private final LostReporters watch = new LostReporters(new LostMembers(List.of()),
        "none:type=Cluster", nanos::get);

    @Test
    void lostMemberWhoseReportKeepsOthersApartIsFound() {
        assertThat(APART.lostReporters()).containsExactly("c");
        MembershipView returned = new MembershipView("b", ALL, Map.of("b", Set.of("c"), "c", Set.of("a", "b")));
        assertThat(returned.lostReporters()).as("the other sees the same").containsExactly("c");
    }

    @Test
    void reportsThatMayBeTrueStand() {
        assertThat(new MembershipView("a", ALL, Map.of()).lostReporters()).isEmpty();
        assertThat(new MembershipView("a", ALL, Map.of("c", Set.of("a"))).lostReporters())
            .as("it keeps nobody apart").isEmpty();
        assertThat(new MembershipView("a", ALL, Map.of("b", Set.of("c"))).lostReporters())
            .as("who reports is not lost").isEmpty();
        assertThat(new MembershipView("a", ALL, Map.of("b", Set.of("a", "c"), "c", Set.of("a"))).lostReporters())
            .as("no majority is left").isEmpty();
        assertThat(new MembershipView("a", Set.of("a", "b", "c", "d", "e"),
            Map.of("b", Set.of("c", "d"), "c", Set.of("a"))).lostReporters())
            .as("one that is not lost reports it too").isEmpty();
    }

    @Test
    void itIsGivenUpOnlyAfterAWhile() {
        assertThat(watch.due(APART)).isEmpty();
        nanos.addAndGet(LostReporters.PATIENCE.toNanos() - 1);
        assertThat(watch.due(APART)).isEmpty();
        assertThat(watch.due(new MembershipView("a", ALL, Map.of()))).isEmpty();
        nanos.addAndGet(1);
        assertThat(watch.due(APART)).as("begins anew").isEmpty();
        nanos.addAndGet(LostReporters.PATIENCE.toNanos());
        assertThat(watch.due(APART)).containsExactly("c");
        assertThat(watch.due(APART)).as("is being given up").isEmpty();
    }

    /** The text is what Pekko 1.1 shows of three members, shortened. */
    @Test
    void viewIsReadFromWhatPekkoShows() {
        assertThat(MembershipView.of("""
            {
              "members": [
                {"address": "a", "roles": ["member-1"], "status": "Up", "app-version": "0.0.0"},
                {"address": "b", "roles": ["member-2"], "status": "Up", "app-version": "0.0.0"},
                {"address": "c", "roles": ["member-3"], "status": "Up", "app-version": "0.0.0"}
              ],
              "self-address": "a",
              "unreachable": [
                {"node": "b", "observed-by": ["c"]},
                {"node": "c", "observed-by": ["a"]}
              ]
            }""")).isEqualTo(APART);
    }
}
