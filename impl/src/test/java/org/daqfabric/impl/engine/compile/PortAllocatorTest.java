package org.daqfabric.impl.engine.compile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.spec.Address;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.topology.Topology;
import org.junit.jupiter.api.Test;

class PortAllocatorTest {
    private static final String LEAF = "leaf-1-1";
    private static final Topology FABRIC = new Topology(TestFabrics.regular("tiny", 1, 1, 1, 1, 1, 2));
    private static final int RINGS = PortNumbers.LAST - PortNumbers.FIRST_RING + 1;

    /** A number that was given up is given again before there are none left. */
    @Test
    void freedNumbersAreGivenAgain() {
        SortedMap<String, Integer> full = full();
        full.values().remove(40_000);
        full.values().remove(PortNumbers.LAST);
        SortedMap<String, Integer> now = allocate(full, dcms());
        assertThat(now.values()).filteredOn(PortAllocator::isRing).containsExactlyInAnyOrder(40_000, PortNumbers.LAST);
    }

    /** OpenFlow reserves the numbers above: a DCM does without its daqring until another gives up its number. */
    @Test
    void noNumberIsBeyondTheLast() {
        SortedMap<String, Integer> full = full();
        full.values().remove(40_000);
        SortedMap<String, Integer> now = allocate(full, dcms());
        assertThat(now.values()).filteredOn(PortAllocator::isRing).containsExactly(40_000);
        assertThat(allocate(now, dcms()).values()).filteredOn(PortAllocator::isRing).hasSize(2).contains(40_000);
    }

    /** Several bridges of a node may have a daqring for the same address, and a node's ports differ in their names. */
    @Test
    void namesDifferBetweenTheBridgesOfANode() {
        String address = FABRIC.dcms().get(0).address().toString();
        assertThat(allocate(new TreeMap<>(), dcms()).keySet()).contains("ring-" + address + "-br-daq");
    }

    /** Nothing changes in a fabric whose daqrings have names of the address alone, as they all had once. */
    @Test
    void numberedDaqringsKeepTheirNames() {
        SortedMap<String, Integer> fresh = allocate(new TreeMap<>(), dcms());
        SortedMap<String, Integer> plain = new TreeMap<>();
        fresh.forEach((port, number) -> plain.put(port.replace("-br-daq", ""), number));
        assertThat(plain.keySet()).isNotEqualTo(fresh.keySet());
        assertThat(allocate(plain, dcms())).isEqualTo(plain);
        // the daqring of another address gets the bridge's name
        plain.keySet().removeIf(port -> port.equals("ring-" + FABRIC.dcms().get(0).address()));
        assertThat(allocate(plain, dcms()).keySet()).contains("ring-" + FABRIC.dcms().get(0).address() + "-br-daq",
            "ring-" + FABRIC.dcms().get(1).address());
    }

    /** Statistics and traces name the DCM of a daqring. */
    @Test
    void namesTellTheAddress() {
        assertThat(Daqrings.addressOf("ring-10.1.2.3")).contains("10.1.2.3");
        assertThat(Daqrings.addressOf("ring-10.1.2.3-br-daq")).contains("10.1.2.3");
        assertThat(Daqrings.addressOf("p1")).isEmpty();
    }

    /** Numbers of a leaf's daqrings that nobody needs any more. */
    private static SortedMap<String, Integer> full() {
        SortedMap<String, Integer> full = new TreeMap<>();
        IntStream.range(0, RINGS).forEach(number -> full.put("ring-192.168.%d.%d".formatted(number / 256, number % 256),
            PortNumbers.FIRST_RING + number));
        return full;
    }

    private static Set<Address> dcms() {
        Set<Address> dcms = new LinkedHashSet<>();
        FABRIC.dcms().forEach(dcm -> dcms.add(dcm.address()));
        return dcms;
    }

    private static SortedMap<String, Integer> allocate(SortedMap<String, Integer> before, Set<Address> dcms) {
        return PortAllocator.allocate(FABRIC, new PortNumbers(new TreeMap<>(Map.of(LEAF, before))),
            new TreeMap<>(Map.of(LEAF, dcms))).of(LEAF);
    }
}
