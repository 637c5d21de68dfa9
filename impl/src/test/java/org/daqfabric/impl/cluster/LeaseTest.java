package org.daqfabric.impl.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A member sends to switches only while no other can. */
class LeaseTest {
    private static final Member ONE = new Member("member-1", "10.0.0.1", 3);
    private static final Member TWO = new Member("member-2", "10.0.0.2", 3);
    private static final long LENGTH = Lease.LENGTH.toNanos();
    private static final long SURE = Lease.LENGTH.plus(Lease.MARGIN).toNanos();

    /** It runs from the start of a renewal: when that is confirmed says nothing about when others saw it. */
    @Test
    void holderMaySendForOneLeaseFromTheStartOfARenewal() {
        Lease held = Lease.of(ONE, "a", 0).renewed(1000);
        assertThat(held.maySend(1000 + LENGTH - 1)).isTrue();
        assertThat(held.maySend(1000 + LENGTH)).isFalse();
        assertThat(Lease.of(ONE, "a", 0).maySend(0)).isFalse();
        assertThat(held.without().maySend(1001)).isFalse();
    }

    /** A lease without a holder, or held by a former session of the same member. */
    @Test
    void freeLeaseIsTakenAtOnce() {
        assertThat(Lease.of(TWO, "b", 0).claim(Optional.empty(), 0, Instant.EPOCH)).contains(term(TWO, "b", 1));
        assertThat(Lease.of(TWO, "b", 0).claim(Optional.of(term(TWO, "former", 7)), 0, Instant.EPOCH))
            .contains(term(TWO, "b", 1));
    }

    /** A term seen for the first time may have just been written. */
    @Test
    void claimantWaitsUntilTheHolderMayNoLongerSend() {
        Optional<LeaseTerm> current = Optional.of(term(ONE, "a", 5));
        Lease waiting = Lease.of(TWO, "b", 0);
        assertThat(waiting.claim(current, SURE, Instant.EPOCH)).isEmpty();
        Lease seen = waiting.saw(current, SURE);
        assertThat(seen.claim(current, 2 * SURE - 1, Instant.EPOCH)).isEmpty();
        assertThat(seen.claim(current, 2 * SURE, Instant.EPOCH)).contains(term(TWO, "b", 1));
    }

    /** A renewal restarts the wait of others. */
    @Test
    void holderKeepsALeaseThatItRenews() {
        Lease waiting = Lease.of(TWO, "b", 0).saw(Optional.of(term(ONE, "a", 5)), 0);
        Optional<LeaseTerm> renewed = Optional.of(term(ONE, "a", 6));
        assertThat(waiting.claim(renewed, SURE, Instant.EPOCH)).isEmpty();
        assertThat(waiting.saw(renewed, SURE).claim(renewed, SURE + 1, Instant.EPOCH)).isEmpty();
        assertThat(Lease.of(ONE, "a", 0).claim(renewed, SURE, Instant.EPOCH)).contains(term(ONE, "a", 7));
    }

    /**
     * Even if members reach the store only at times, confirmations are lost, and clocks have nothing in common but
     * their rate, no two members may send at the same time.
     */
    @ParameterizedTest
    @ValueSource(longs = { 1, 2, 3, 4, 5, 6, 7, 8 })
    void noTwoMembersMaySendAtOnce(long seed) {
        Random random = new Random(seed);
        List<Lease> members = new ArrayList<>();
        List<Long> offsets = List.of(0L, Duration.ofDays(3).toNanos(), -Duration.ofHours(5).toNanos());
        for (int i = 0; i < 3; i++) {
            members.add(Lease.of(new Member("member-" + i, "10.0.0." + i, 3), "session " + i, offsets.get(i)));
        }
        Optional<LeaseTerm> store = Optional.empty();
        boolean[] cut = new boolean[3];
        int changes = 0;
        for (long now = 0; now < Duration.ofMinutes(30).toNanos(); now += random.nextLong(800_000_000L)) {
            int who = random.nextInt(3);
            cut[who] = random.nextInt(40) == 0 ? !cut[who] : cut[who];
            if (!cut[who]) {
                long own = now + offsets.get(who);
                Lease asking = members.get(who).saw(store, own);
                Optional<LeaseTerm> claimed = asking.claim(store, own, Instant.EPOCH);
                if (claimed.isPresent()) {
                    changes += store.isPresent() && !asking.isMine(store.get()) ? 1 : 0;
                    store = claimed;
                    // the confirmation of a write may be lost
                    asking = random.nextBoolean() ? asking.renewed(own) : asking;
                } else {
                    asking = asking.without();
                }
                members.set(who, asking);
            }
            int sending = 0;
            for (int i = 0; i < 3; i++) {
                sending += members.get(i).maySend(now + offsets.get(i)) ? 1 : 0;
            }
            assertThat(sending).as("at %s s", now / 1e9).isLessThanOrEqualTo(1);
        }
        assertThat(changes).as("changes of the holder").isPositive();
    }

    private static LeaseTerm term(Member member, String session, long renewals) {
        return new LeaseTerm(member.name(), member.address(), session, renewals, Instant.EPOCH);
    }
}
