package org.daqfabric.impl.engine.compile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.Dcm;
import org.daqfabric.impl.engine.Addresses;
import org.daqfabric.impl.engine.Seeds;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Prefixes send every address along its route, and fewer could not. */
class PrefixAggregationTest {
    private static final int CASES = 300;
    private static final int BITS = 5;
    private static final Address BASE = Address.parse("10.1.0.0");

    /** The edge switch of an address, and its primary plane: none if the address must not be sent to. */
    private record Owner(String edge, Optional<Integer> plane) {
        Optional<GroupKey.ToEdge> group() {
            return plane.map(id -> new GroupKey.ToEdge(edge, List.of(id), List.of()));
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void sendsEveryAddressCorrectlyWithFewestPrefixes(long seed) {
        for (int number = 0; number < CASES; number++) {
            Random random = new Random(seed + number);
            Map<Integer, Owner> owners = generated(random);
            List<PrefixAggregation.Prefix> prefixes = prefixes(owners);
            String what = "seed " + seed + " case " + number + " " + owners + ": " + prefixes;
            owners.forEach((address, owner) ->
                assertThat(group(prefixes, owners, address)).as("%d, %s", address, what).isEqualTo(owner.group()));
            assertThat(prefixes).as(what).hasSize(fewest(owners, 0, BITS, Optional.empty()));
        }
    }

    /** A prefix covers addresses of one edge switch only, and is their longest common prefix. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void prefixesAreNoWiderThanTheirAddresses(long seed) {
        for (int number = 0; number < CASES; number++) {
            Map<Integer, Owner> owners = generated(new Random(seed + number));
            for (PrefixAggregation.Prefix prefix : prefixes(owners)) {
                List<Integer> held = owners.keySet().stream().filter(address -> covers(prefix, address)).toList();
                assertThat(held.stream().map(address -> owners.get(address).edge()).distinct()).hasSize(1);
                assertThat(held.stream().allMatch(address -> owners.get(address).plane().isPresent())).isTrue();
                int common = Integer.numberOfLeadingZeros(held.get(0) ^ held.get(held.size() - 1));
                assertThat(prefix.length()).isEqualTo(common);
            }
        }
    }

    /** A rack whose DCMs all use the same planes needs one prefix, and each DCM that differs one more. */
    @Test
    void addressesWithTheSamePlanesShareAPrefix() {
        Map<Integer, Owner> owners = new TreeMap<>();
        IntStream.range(0, 32).forEach(address -> owners.put(address, new Owner("h1", Optional.of(1))));
        assertThat(prefixes(owners)).extracting(PrefixAggregation.Prefix::length).containsExactly(27);
        owners.put(7, new Owner("h1", Optional.of(2)));
        assertThat(prefixes(owners)).extracting(PrefixAggregation.Prefix::length).containsExactly(27, 32);
        assertThat(prefixes(Map.of())).isEmpty();
    }

    /** Addresses are compared as unsigned numbers. */
    @Test
    void lowestAndHighestAddressShareNoPrefix() {
        Address lowest = Address.ofIpv4(0);
        assertThat(PrefixAggregation.of(List.of(host(Address.ofIpv4(-1), new Owner("h1", Optional.of(1))),
            host(lowest, new Owner("h1", Optional.of(2)))),
            host -> new Owner(host.edge(), Optional.of(host.address().equals(lowest) ? 2 : 1)).group()))
            .extracting(prefix -> prefix.host().address() + "/" + prefix.length())
            .containsExactlyInAnyOrder("0.0.0.0/32", "255.255.255.255/32");
    }

    private static Map<Integer, Owner> generated(Random random) {
        Map<Integer, Owner> owners = new TreeMap<>();
        int edges = 1 + random.nextInt(3);
        int planes = 1 + random.nextInt(4);
        int run = 1 + random.nextInt(8);
        String edge = "h1";
        for (int address = 0; address < 1 << BITS; address++) {
            edge = random.nextInt(run) == 0 ? "h" + (1 + random.nextInt(edges)) : edge;
            if (random.nextInt(4) > 0) {
                owners.put(address, new Owner(edge, random.nextInt(12) == 0 ? Optional.empty()
                    : Optional.of(1 + random.nextInt(planes))));
            }
        }
        return owners;
    }

    private static List<PrefixAggregation.Prefix> prefixes(Map<Integer, Owner> owners) {
        List<Endpoint> hosts = new ArrayList<>();
        owners.forEach((address, owner) -> hosts.add(host(Addresses.plus(BASE, address), owner)));
        return PrefixAggregation.of(hosts, host -> owners.get((int) (host.address().low() - BASE.low())).group());
    }

    private static Endpoint host(Address address, Owner owner) {
        return new Endpoint(address, "d" + address, Endpoint.Kind.DCM, 1, 1, owner.edge(), Dcm.LOCAL,
            Optional.empty());
    }

    private static Optional<GroupKey.ToEdge> group(List<PrefixAggregation.Prefix> prefixes, Map<Integer, Owner> owners,
            int address) {
        return prefixes.stream().filter(prefix -> covers(prefix, address))
            .max(Comparator.comparingInt(PrefixAggregation.Prefix::length))
            .flatMap(prefix -> owners.get((int) (prefix.host().address().low() - BASE.low())).group());
    }

    private static boolean covers(PrefixAggregation.Prefix prefix, int address) {
        return prefix.host().address().prefix(prefix.length()).equals(
            Addresses.plus(BASE, address).prefix(prefix.length()));
    }

    /**
     * The fewest prefixes within a block of addresses, by exhaustive search.
     *
     * @param above the group for packets that no prefix in the block covers
     */
    private static int fewest(Map<Integer, Owner> owners, int first, int bits, Optional<GroupKey.ToEdge> above) {
        List<Owner> inside = IntStream.range(first, first + (1 << bits)).mapToObj(owners::get)
            .filter(owner -> owner != null).toList();
        int least = inner(owners, first, bits, above);
        if (inside.stream().map(Owner::edge).distinct().count() == 1
            && inside.stream().allMatch(owner -> owner.plane().isPresent())) {
            for (Owner owner : inside) {
                int cost = inner(owners, first, bits, owner.group());
                least = cost == Integer.MAX_VALUE ? least : Math.min(least, 1 + cost);
            }
        }
        return least;
    }

    private static int inner(Map<Integer, Owner> owners, int first, int bits, Optional<GroupKey.ToEdge> group) {
        if (bits == 0) {
            Owner owner = owners.get(first);
            return owner == null || owner.group().equals(group) ? 0 : Integer.MAX_VALUE;
        }
        int lower = fewest(owners, first, bits - 1, group);
        int upper = fewest(owners, first + (1 << bits - 1), bits - 1, group);
        return Math.max(lower, upper) == Integer.MAX_VALUE ? Integer.MAX_VALUE : lower + upper;
    }
}
