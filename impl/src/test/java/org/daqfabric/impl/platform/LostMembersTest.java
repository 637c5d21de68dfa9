package org.daqfabric.impl.platform;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Who is said to be lost, from what the first of three members sees. */
class LostMembersTest {
    private static final String ONE = "pekko://opendaylight-cluster-data@10.0.0.1:2550";
    private static final String TWO = "pekko://opendaylight-cluster-data@10.0.0.2:2550";
    private static final String THREE = "pekko://opendaylight-cluster-data@[fd00:73::3]:2551";
    private static final Set<String> ALL = Set.of(ONE, TWO, THREE);
    private static final MembershipView WHOLE = new MembershipView(ONE, ALL, Map.of());
    private static final MembershipView WITHOUT_TWO = new MembershipView(ONE, ALL, Map.of(TWO, Set.of(ONE, THREE)));

    private final AtomicLong nanos = new AtomicLong();
    private final LostMembers lost = new LostMembers(List.of(ONE, TWO, THREE), nanos::get);

    /** It looks twice a second. */
    private void see(MembershipView view, Duration during) {
        for (long passed = 0; passed < during.toMillis(); passed += 500) {
            lost.saw(view);
            nanos.addAndGet(Duration.ofMillis(500).toNanos());
        }
        lost.saw(view);
    }

    @Test
    void oneThatIsNotReachedIsLostAfterAWhile() {
        see(WHOLE, Duration.ofMinutes(1));
        see(WITHOUT_TWO, LostMembers.PATIENCE.minusMillis(500));
        assertThat(lost.now()).isEmpty();
        see(WITHOUT_TWO, Duration.ofMillis(500));
        assertThat(lost.now()).containsExactly(Map.entry("member-2", "10.0.0.2:2550"));
        see(WHOLE, LostMembers.PATIENCE);
        assertThat(lost.now()).isEmpty();
    }

    /** After two minutes Pekko gives it up; when it has restarted it is a member again. */
    @Test
    void oneThatWasGivenUpIsLostUntilItIsAMemberAgain() {
        see(WITHOUT_TWO, Duration.ofMinutes(2));
        see(new MembershipView(ONE, Set.of(ONE, THREE), Map.of()), Duration.ofDays(1));
        assertThat(lost.now()).containsOnlyKeys("member-2");
        see(WHOLE, LostMembers.PATIENCE);
        assertThat(lost.now()).isEmpty();
    }

    @Test
    void aPauseIsNoLossAndAFlapNoReturn() {
        for (int round = 0; round < 10; round++) {
            see(WITHOUT_TWO, Duration.ofSeconds(8));
            see(WHOLE, Duration.ofSeconds(8));
            assertThat(lost.now()).isEmpty();
        }
        see(WITHOUT_TWO, LostMembers.PATIENCE);
        for (int round = 0; round < 10; round++) {
            see(WHOLE, Duration.ofSeconds(8));
            see(WITHOUT_TWO, Duration.ofSeconds(1));
            assertThat(lost.now()).containsOnlyKeys("member-2");
        }
    }

    /** Only its own reports count: that of a lost member may be old (LostReporters gives that one up). */
    @Test
    void whatOthersReportDoesNotCount() {
        see(new MembershipView(ONE, ALL, Map.of(TWO, Set.of(THREE), THREE, Set.of(ONE))), Duration.ofMinutes(1));
        assertThat(lost.now()).containsExactly(Map.entry("member-3", "[fd00:73::3]:2551"));
    }

    /** One that has never come is missed as well; this one itself is not, before it has joined. */
    @Test
    void whoHasNotJoinedIsLost() {
        see(new MembershipView(ONE, Set.of(ONE, TWO), Map.of()), LostMembers.PATIENCE);
        assertThat(lost.now()).containsOnlyKeys("member-3");
        see(new MembershipView(ONE, Set.of(), Map.of()), LostMembers.PATIENCE);
        assertThat(lost.now()).containsOnlyKeys("member-2", "member-3");
    }

    @Test
    void aControllerThatIsAloneMissesNobody() {
        LostMembers none = new LostMembers(List.of(), nanos::get);
        none.saw(new MembershipView(ONE, Set.of(ONE), Map.of()));
        nanos.addAndGet(LostMembers.PATIENCE.toNanos());
        none.saw(new MembershipView(ONE, Set.of(ONE), Map.of()));
        assertThat(none.now()).isEmpty();
    }
}
