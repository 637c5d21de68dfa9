package org.daqfabric.impl.engine.planning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.daqfabric.api.spec.Address;
import org.daqfabric.impl.engine.Addresses;
import org.daqfabric.impl.engine.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** There are routes to the hosts of the fabric and to no others. */
class PrefixCoverTest {
    @Test
    void siblingsAreOnePrefix() {
        assertThat(of("10.0.0.3", "10.0.0.2", "10.0.0.1")).containsExactly("10.0.0.1/32", "10.0.0.2/31");
        assertThat(of("10.0.0.0", "10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4")).containsExactly("10.0.0.0/30",
            "10.0.0.4/32");
        assertThat(of("10.0.0.255", "10.0.1.0")).containsExactly("10.0.0.255/32", "10.0.1.0/32");
        assertThat(of("127.255.255.255", "128.0.0.0")).containsExactly("127.255.255.255/32", "128.0.0.0/32");
        assertThat(of("255.255.255.254", "255.255.255.255")).containsExactly("255.255.255.254/31");
        assertThat(of()).isEmpty();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void holdTheAddressesAndNoOther(long seed) {
        Random random = new Random(seed);
        for (int count = 0; count < 200; count++) {
            int base = random.nextInt() & -256;
            Set<Address> addresses = new HashSet<>();
            double density = random.nextDouble();
            for (int low = 0; low < 256; low++) {
                if (random.nextDouble() < density) {
                    addresses.add(Address.ofIpv4(base | low));
                }
            }
            Set<Address> held = new HashSet<>();
            for (String prefix : PrefixCover.of(addresses)) {
                String[] parts = prefix.split("/");
                Address first = Address.parse(parts[0]);
                for (int each = 0; each < 1 << 32 - Integer.parseInt(parts[1]); each++) {
                    assertThat(held.add(Addresses.plus(first, each))).as("%s twice", prefix).isTrue();
                }
            }
            assertThat(held).isEqualTo(addresses);
        }
    }

    private static List<String> of(String... addresses) {
        return PrefixCover.of(List.of(addresses).stream().map(Address::parse).toList());
    }
}
