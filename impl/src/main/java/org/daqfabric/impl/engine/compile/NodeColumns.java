package org.daqfabric.impl.engine.compile;

import java.util.Collection;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.program.Bridge.Port;
import org.daqfabric.api.spec.DpdkSettings;

/** What {@code other_config} of a node's Open_vSwitch row must have, which depends on the ports of its bridges. */
final class NodeColumns {
    private NodeColumns() {
    }

    /** Nothing unless a port needs it. */
    static SortedMap<String, String> of(DpdkSettings settings, Collection<Port> ports) {
        SortedMap<String, String> columns = new TreeMap<>();
        boolean dpdk = ports.stream().anyMatch(port -> port.type().equals("dpdk"));
        if (dpdk) {
            // not "true", with which ovs-vswitchd aborts if DPDK cannot start
            columns.put("dpdk-init", "try");
            settings.socketMem().ifPresent(memory -> columns.put("dpdk-socket-mem", memory));
            settings.lcoreCpus().ifPresent(cpus -> columns.put("dpdk-lcore-mask", DpdkSettings.mask(cpus)));
            settings.extra().ifPresent(extra -> columns.put("dpdk-extra", extra));
        }
        if (dpdk || ports.stream().anyMatch(port -> port.type().equals("afxdp"))) {
            settings.pmdCpus().ifPresent(cpus -> columns.put("pmd-cpu-mask", DpdkSettings.mask(cpus)));
        }
        return columns;
    }
}
