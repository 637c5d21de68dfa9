package org.daqfabric.impl.engine.planning;

import java.util.ArrayList;
import java.util.List;

/** What the network cards of a host do, and the processors that serve them. */
final class NicSettings {
    /** Microseconds, a quarter of the round trip time of the TCP paper. */
    private static final int COALESCING = 50;

    private static final String LUPU =
        "D. Lupu, High-Performance Networking in Distributed Quasi Real-time Systems";

    private NicSettings() {
    }

    static List<Setting> of(Host host) {
        List<Setting> settings = new ArrayList<>();
        if (host.endpoint().isDcm()) {
            settings.add(new Setting("coalescing", COALESCING + " us", "one interrupt for many packets: in the source "
                    + "rx_discards_phy went down to an eighteenth and 89.67 Gbps of 100 came through",
                LUPU + " (Interrupt coalescing)",
                "virtual interfaces, and ports that DPDK polls, have no interrupts. The source gives no value: measure "
                    + "rx_discards_phy (ethtool -S) with yours",
                commands(host, "ethtool -C %s adaptive-rx off rx-usecs " + COALESCING)));
            settings.add(new Setting("receive-ring", "the largest of the card", "packets wait there for the host, which"
                    + " takes them later with coalescing; what does not fit the card discards (rx_discards_phy)",
                LUPU + " (Interrupt coalescing); ethtool(8)",
                "ports that DPDK polls (n-rxq-desc is theirs), and virtual interfaces, which have none",
                commands(host, "ethtool -G %1$s rx $(ethtool -g %1$s | awk '/^RX:/{print $2; exit}')")));
        }
        settings.add(new Setting("pause-frames", "off",
            "a paused link holds up the packets of all DCMs behind it; waiting is for daqrings",
            "thesis, sections 4.5.3, 6.3.1 and 7.3.3",
            "a DCM's host that cannot keep up with its link: then tx on here and rx on at the leaf's port, never "
                + "tx on at a switch. Virtual interfaces have none",
            commands(host, "ethtool -A %s autoneg off rx off tx off")));
        settings.add(new Setting("governor", "performance", "a processor that saves power wakes up late: it cost the"
                + " source's receiver 35 % of its throughput",
            LUPU, "virtual machines, whose host has the governor; hosts that must save power",
            List.of("for each in /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor; do [ ! -w $each ] ||"
                + " echo performance > $each; done")));
        return settings;
    }

    private static List<String> commands(Host host, String command) {
        return host.nics().stream().map(command::formatted).toList();
    }
}
