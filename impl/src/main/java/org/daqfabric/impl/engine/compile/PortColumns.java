package org.daqfabric.impl.engine.compile;

import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.spec.PortSettings;
import org.daqfabric.api.spec.PortSettings.Bond;
import org.daqfabric.api.spec.PortSettings.BondMode;

/** What table Interface of Open vSwitch must hold for a port that is no daqring. */
final class PortColumns {
    private PortColumns() {
    }

    /** The column {@code type}. */
    static String type(PortSettings settings) {
        return switch (settings.kind()) {
            case SYSTEM -> "";
            case DPDK, BOND -> "dpdk";
            case AFXDP -> "afxdp";
        };
    }

    /** The column {@code options}. */
    static SortedMap<String, String> options(String port, PortSettings settings) {
        SortedMap<String, String> options = new TreeMap<>();
        settings.devargs().ifPresent(device -> options.put("dpdk-devargs", device));
        settings.bond().ifPresent(bond -> options.put("dpdk-devargs", devargs(port, bond)));
        settings.rxQueues().ifPresent(count -> options.put("n_rxq", Integer.toString(count)));
        settings.rxDescriptors().ifPresent(count -> options.put("n_rxq_desc", Integer.toString(count)));
        settings.txDescriptors().ifPresent(count -> options.put("n_txq_desc", Integer.toString(count)));
        settings.xdpMode().ifPresent(mode -> options.put("xdp-mode", text(mode)));
        return options;
    }

    /** DPDK's virtual device that bonds others; its name must begin like this. */
    private static String devargs(String port, Bond bond) {
        int mode = switch (bond.mode()) {
            case ACTIVE_BACKUP -> 1;
            case BALANCE_XOR -> 2;
            case LACP -> 4;
        };
        StringBuilder devargs = new StringBuilder("net_bonding_" + port + ",mode=" + mode);
        if (bond.mode() != BondMode.ACTIVE_BACKUP) {
            devargs.append(",xmit_policy=l34");
        }
        bond.members().forEach(member -> devargs.append(",member=").append(member));
        return devargs.toString();
    }

    private static String text(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
