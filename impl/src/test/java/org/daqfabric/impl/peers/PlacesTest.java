package org.daqfabric.impl.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.daqfabric.impl.peers.TestPeers.address;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.daqfabric.impl.engine.Seeds;
import org.daqfabric.impl.peers.Places.Limits;
import org.daqfabric.impl.peers.Places.Refused;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is served where there are more connections than places. */
class PlacesTest {
    private static final Limits LIMITS = new Limits(60, 20, 30, 15);
    private static final int STEPS = 5000;
    private static final int ATTACKERS = 8;

    private final WantedAddresses addresses = new WantedAddresses();
    private final Places<Integer> places = new Places<>(LIMITS, addresses);
    private final Map<Integer, Limit> refused = new HashMap<>();
    private int last;

    private int arrive(int address) {
        int connection = ++last;
        note(places.arrived(connection, address(address), false));
        return connection;
    }

    private int named(int address) {
        int connection = arrive(address);
        note(places.named(connection));
        return connection;
    }

    private int wanted(int address) {
        int connection = named(address);
        places.wanted(connection, true);
        return connection;
    }

    private void note(List<Refused<Integer>> all) {
        for (Refused<Integer> each : all) {
            assertThat(refused.put(each.connection(), each.limit())).as("refused twice").isNull();
            places.ended(each.connection());
        }
    }

    /** A flood from a few addresses, silent or with names, keeps nobody out who is wanted, expected or unknown. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void aFloodKeepsNobodyOut(long seed) {
        Random random = new Random(seed);
        List<Integer> wanted = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            int attack = random.nextInt(40);
            for (int each = 0; each < attack; each++) {
                int attacker = arrive(random.nextInt(ATTACKERS));
                if (random.nextBoolean() && !refused.containsKey(attacker)) {
                    note(places.named(attacker));
                }
            }
            // a node, at an address of its own, that is known or not
            int honest = arrive(100 + random.nextInt(40));
            int meanwhile = random.nextInt(8);
            for (int each = 0; each < meanwhile; each++) {
                arrive(random.nextInt(ATTACKERS));
            }
            assertThat(refused).as("step " + step + " of seed " + seed).doesNotContainKey(honest);
            note(places.named(honest));
            assertThat(refused).as("step " + step + " of seed " + seed).doesNotContainKey(honest);
            if (random.nextBoolean()) {
                places.wanted(honest, true);
                wanted.add(honest);
            } else {
                places.ended(honest);
            }
            if (wanted.size() > 20) {
                int gone = wanted.remove(random.nextInt(wanted.size()));
                assertThat(places.ended(gone)).as("it had a name").isFalse();
            }
            assertThat(refused).as("step " + step + " of seed " + seed).doesNotContainKeys(
                wanted.toArray(Integer[]::new));
            assertThat(places.size()).isLessThanOrEqualTo(LIMITS.all());
        }
        assertThat(refused.values()).contains(Limit.STRANGERS);
    }

    /** The one that has to go is the same whether one looks at all connections or at addresses. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void whoHasToGoIsFoundByAddresses(long seed) {
        Random random = new Random(seed);
        PlacesByLookingAtAll all = new PlacesByLookingAtAll(LIMITS, each -> addresses.contains(address(each)));
        for (int step = 0; step < STEPS; step++) {
            int connection = 1 + random.nextInt(last + 1);
            String at = "step " + step + " of seed " + seed;
            switch (random.nextInt(8)) {
                case 0, 1, 2, 3 -> {
                    // few addresses have many, and some have one
                    int address = (int) Math.pow(40, random.nextDouble());
                    boolean dialled = random.nextInt(10) == 0;
                    List<Integer> refusedNow = places.arrived(++last, address(address), dialled).stream()
                        .map(Refused::connection).toList();
                    assertThat(refusedNow).as(at).isEqualTo(all.arrived(last, address, dialled));
                }
                case 4, 5 -> assertThat(places.named(connection).stream().map(Refused::connection).toList()).as(at)
                    .isEqualTo(all.named(connection));
                case 6 -> {
                    boolean isWanted = random.nextInt(3) > 0;
                    places.wanted(connection, isWanted);
                    all.wanted(connection, isWanted);
                }
                default -> {
                    places.ended(connection);
                    all.ended(connection);
                }
            }
        }
    }

    /** Of peers from one address the oldest that is silent goes, and only others of that address suffer. */
    @Test
    void anAddressHasItsOwnLimit() {
        int other = arrive(1);
        int first = arrive(2);
        for (int each = 0; each < LIMITS.ofAddress(); each++) {
            arrive(2);
        }
        assertThat(refused).containsOnly(Map.entry(first, Limit.ADDRESS));
        assertThat(places.ended(other)).isTrue();
    }

    /** Nodes behind one address are not limited by it, once one of them is known. */
    @Test
    void wantedAddressesHaveNoLimit() {
        for (int each = 0; each < 30; each++) {
            wanted(3);
        }
        for (int each = 0; each < LIMITS.ofAddress() + 2; each++) {
            arrive(3);
        }
        assertThat(refused).isEmpty();
    }

    /** Peers from the address of a node are served before others, even if these are each from an address of its own. */
    @Test
    void strangersGoBeforeThoseFromWantedAddresses() {
        places.ended(wanted(7));
        int expected = arrive(7);
        for (int each = 0; each < 10 * LIMITS.strangers(); each++) {
            arrive(1000 + each);
        }
        assertThat(refused).doesNotContainKey(expected).containsValue(Limit.STRANGERS);
    }

    /** A node that somebody has taken over keeps none out that are not met yet, silent or under many names. */
    @ParameterizedTest(name = "with names: {0}")
    @ValueSource(booleans = {false, true})
    void aNodesAddressKeepsNobodyOut(boolean named) {
        wanted(7);
        for (int each = 0; each < 3 * LIMITS.all(); each++) {
            int attacker = arrive(7);
            if (named && !refused.containsKey(attacker)) {
                note(places.named(attacker));
            }
        }
        refused.clear();
        for (int node = 0; node < LIMITS.strangers() / 2; node++) {
            int fresh = arrive(100 + node);
            assertThat(refused).doesNotContainKey(fresh);
            note(places.named(fresh));
            assertThat(refused).doesNotContainKey(fresh);
        }
        assertThat(refused).isNotEmpty();
    }

    /** Those in no fabric have few places, whoever they are; the newest has one. */
    @Test
    void peersInNoFabricHaveFewPlaces() {
        int oldest = named(100);
        for (int each = 1; each <= LIMITS.unwanted(); each++) {
            named(100 + each);
        }
        assertThat(refused).containsOnly(Map.entry(oldest, Limit.UNWANTED));
    }

    /** Where all are wanted the next one has to wait. */
    @Test
    void whereAllAreWantedTheNextIsRefused() {
        for (int each = 0; each < LIMITS.all(); each++) {
            wanted(each);
        }
        int next = arrive(5);
        assertThat(refused).containsOnly(Map.entry(next, Limit.CONNECTIONS));
        assertThat(places.size()).isEqualTo(LIMITS.all());
    }

    /** A node that leaves its fabric is like any other peer. */
    @Test
    void aPeerCanCeaseToBeWanted() {
        int node = wanted(1);
        assertThat(places.isWanted(node)).isTrue();
        places.wanted(node, false);
        assertThat(places.isWanted(node)).isFalse();
        places.ended(node);
        places.wanted(node, true);
        assertThat(places.size()).isZero();
    }

    /** A stranger becomes nobody's node by what is thought of it. */
    @Test
    void strangersAreNotWanted() {
        int stranger = arrive(1);
        places.wanted(stranger, true);
        assertThat(places.isWanted(stranger)).isFalse();
    }

    /** An address may connect so often at once and so often a second; where a node is known, more often. */
    @Test
    void anAddressConnectsOnlySoOften() {
        Arrivals arrivals = new Arrivals(addresses);
        long now = 0;
        for (int each = 0; each < Arrivals.BURST; each++) {
            assertThat(arrivals.admits(address(1), now)).isTrue();
        }
        assertThat(arrivals.admits(address(1), now)).isFalse();
        assertThat(arrivals.admits(address(2), now)).isTrue();
        now += 1_000_000_000;
        for (int each = 0; each < Arrivals.PER_SECOND; each++) {
            assertThat(arrivals.admits(address(1), now)).isTrue();
        }
        assertThat(arrivals.admits(address(1), now)).isFalse();
        addresses.add(address(1));
        for (int each = 0; each < Arrivals.BURST_OF_NODES; each++) {
            assertThat(arrivals.admits(address(1), now)).isTrue();
        }
        assertThat(arrivals.admits(address(1), now)).isFalse();
        now += 1_000_000_000;
        for (int each = 0; each < Arrivals.PER_SECOND_OF_NODES; each++) {
            assertThat(arrivals.admits(address(1), now)).isTrue();
        }
        assertThat(arrivals.admits(address(1), now)).isFalse();
    }

    /** A peer that keeps the controller busy is left alone for a while, and one that does not never is. */
    @Test
    void busyPeersWait() {
        Credit credit = new Credit(10, 0);
        assertThat(credit.worked(10, 0)).isZero();
        assertThat(credit.worked(3, 0)).isEqualTo(6);
        assertThat(credit.worked(3, 60)).isZero();
        assertThat(credit.worked(10, 1_000_000)).isZero();
        credit.raise(100);
        assertThat(credit.worked(100, 1_000_000)).isZero();
        assertThat(credit.worked(1, 1_000_000)).isEqualTo(2);
    }
}
