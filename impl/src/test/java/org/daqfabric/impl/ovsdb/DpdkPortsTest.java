package org.daqfabric.impl.ovsdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.TreeSet;
import org.daqfabric.api.program.Bridge.Port;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.SystemRow;
import org.junit.jupiter.api.Test;

/** What a node's DPDK is told, and what is said of what it tells. */
class DpdkPortsTest {
    private static final Port CARD = TestBridges.port(1, "dpdk", Map.of("dpdk-devargs", "0000:01:00.0"));

    private static SystemRow system(String dpdkVersion, boolean started, String... types) {
        return new SystemRow("u", new TreeMap<>(), new TreeSet<>(), 0, 0, "", new TreeSet<>(List.of(types)),
            new TreeMap<>(), started, dpdkVersion);
    }

    /** What net_bonding calls its devices changed with DPDK 23.11. */
    @Test
    void bondsAreInTheWordsOfTheVersion() {
        Port bond = TestBridges.port(1, "dpdk", Map.of("dpdk-devargs", "net_bonding_a,mode=1,member=x,member=y"));
        assertThat(DpdkPorts.inWordsOf(system("DPDK 22.11.11", true), bond).options())
            .containsEntry("dpdk-devargs", "net_bonding_a,mode=1,slave=x,slave=y");
        assertThat(DpdkPorts.inWordsOf(system("DPDK 24.11.1", true), bond)).isEqualTo(bond);
        assertThat(DpdkPorts.inWordsOf(system("DPDK 22.11.11", true), CARD)).isEqualTo(CARD);
    }

    /** Each thing that may be wrong has its advice; errors of network devices of the kernel stay as they are. */
    @Test
    void errorsSayWhatToDo() {
        assertThat(explain(system("none", false, "system"), CARD, "unknown")).contains("built without DPDK");
        assertThat(explain(system("DPDK 22.11.11", false, "system"), CARD, "x")).contains("has not started")
            .contains("restart ovs-vswitchd");
        assertThat(explain(system("DPDK 22.11.11", true, "dpdk"), CARD,
            "Error attaching device '0000:01:00.0' to DPDK")).contains("0000:01:00.0")
            .contains("dpdk-devbind.py --status");
        assertThat(explain(system("DPDK 22.11.11", true, "dpdk"), CARD,
            "could not add network device up1 to ofproto (Invalid argument)")).contains("an MTU of 9000 bytes")
            .contains("memory");
        assertThat(explain(system("", false, "system"), TestBridges.port(1, "afxdp", Map.of()), "x"))
            .contains("built without AF_XDP");
        assertThat(explain(system("", false, "system"), TestBridges.device(1), "No such device"))
            .isEqualTo("No such device");
    }

    private static String explain(SystemRow system, Port port, String error) {
        return DpdkPorts.explain(system, port, OptionalInt.of(9000), error);
    }
}
