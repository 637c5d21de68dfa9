package org.daqfabric.impl.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.daqfabric.impl.peers.TestPeers.address;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import org.daqfabric.impl.engine.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How long the peers of an address wait for their turn. Times are made up: there is no clock. */
class AddressCreditTest {
    private static final long SECOND = 1_000_000_000;

    private final WantedAddresses wanted = new WantedAddresses();
    private final AddressCredits credits = new AddressCredits(wanted);
    private final InetAddress attacker = address(66);
    private final InetAddress other = address(67);

    @Test
    void whatIsUsedComesBackAsAPartOfTheTimeThatPasses() {
        AddressCredit spent = AddressCredit.whole(0).used(AddressCredit.MOST);
        assertThat(spent.pause(20)).isZero();
        AddressCredit owing = spent.used(1000);
        assertThat(owing.pause(20)).isEqualTo(20_000);
        assertThat(owing.refilled(19_999, 20).pause(20)).isPositive();
        assertThat(owing.refilled(20_000, 20).pause(20)).isZero();
        assertThat(owing.refilled(SECOND * 3600, 20)).isEqualTo(AddressCredit.whole(SECOND * 3600));
        assertThat(AddressCredit.whole(5).used(-1)).isEqualTo(AddressCredit.whole(5));
    }

    /** A clock that is read by several threads may seem to go back. */
    @Test
    void timeThatGoesBackGivesNothing() {
        AddressCredit owing = AddressCredit.whole(SECOND).used(2 * AddressCredit.MOST);
        assertThat(owing.refilled(0, 20).nanos()).isEqualTo(owing.nanos());
    }

    /** However many peers, and whatever their messages cost: together they get their part, one after another. */
    @ParameterizedTest
    @MethodSource(Seeds.SOURCE)
    void allPeersOfAnAddressShareItsPart(long seed) {
        Random random = new Random(seed);
        PriorityQueue<Long> turns = new PriorityQueue<>();
        int peers = 1 + random.nextInt(500);
        for (int peer = 0; peer < peers; peer++) {
            turns.add(credits.turn(attacker, 0));
        }
        long worked = 0;
        long dearest = 0;
        long last = 0;
        while (turns.peek() < 60 * SECOND) {
            last = turns.poll();
            long cost = 1 + random.nextInt(random.nextInt(20) == 0 ? 20_000_000 : 200_000);
            worked += cost;
            dearest = Math.max(dearest, cost);
            credits.worked(attacker, cost, last);
            turns.add(last + credits.turn(attacker, last));
            assertThat(worked).as("by " + last).isLessThan(AddressCredit.MOST + last / AddressCredits.PART
                + peers * (dearest + AddressCredits.MESSAGE));
        }
        // and they get all of it
        assertThat(worked).isGreaterThan(last / AddressCredits.PART - peers * (dearest + AddressCredits.MESSAGE));
        assertThat(credits.turn(other, last)).as("another address").isZero();
    }

    /** An attacker of many addresses has no more than one of a single address, beside what each of them has at once. */
    @Test
    void allAddressesShareAPart() {
        long worked = 0;
        for (long now = 0; now < 60 * SECOND; now += SECOND / 1000) {
            for (int last = 1; last <= 100; last++) {
                if (credits.turn(address(last), now) == 0) {
                    credits.worked(address(last), AddressCredits.MESSAGE, now);
                    worked += AddressCredits.MESSAGE;
                } else {
                    credits.left(address(last), now);
                }
            }
        }
        long atOnce = 100 * AddressCredit.MOST;
        assertThat(worked).isBetween(atOnce + 59 * SECOND / AddressCredits.PART,
            atOnce + 61 * SECOND / AddressCredits.PART);
    }

    /** A peer that ends while it waits leaves its place to those who come after it. */
    @Test
    void whoEndsDoesNotKeepItsPlace() {
        List<Long> pauses = new ArrayList<>();
        for (int peer = 0; peer < 2000; peer++) {
            pauses.add(credits.turn(attacker, 0));
        }
        assertThat(pauses).isSorted().endsWith((2000 * AddressCredits.MESSAGE - AddressCredit.MOST
            - AddressCredits.MESSAGE) * AddressCredits.PART);
        for (int peer = 0; peer < 2000; peer++) {
            credits.left(attacker, 0);
        }
        assertThat(credits.turn(attacker, 0)).isZero();
    }

    @Test
    void wantedAddressesDoNotWait() {
        credits.turn(attacker, 0);
        credits.worked(attacker, 10 * SECOND, 0);
        assertThat(credits.turn(attacker, 0)).isPositive();
        assertThat(credits.limits(attacker)).isTrue();
        wanted.add(attacker);
        assertThat(credits.limits(attacker)).isFalse();
        assertThat(credits.turn(attacker, 0)).isZero();
        credits.worked(attacker, 10 * SECOND, 0);
        assertThat(credits.turn(attacker, 0)).isZero();
    }
}
