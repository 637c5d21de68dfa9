package org.daqfabric.impl.ovsdb;

import java.util.Map;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.daqfabric.api.program.Bridge.Port;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.SystemRow;

/** What is special about ports that Open vSwitch reaches through DPDK or AF_XDP. */
final class DpdkPorts {
    private static final String DEVARGS = "dpdk-devargs";
    private static final Pattern VERSION = Pattern.compile("DPDK (\\d+)\\.(\\d+)");
    /** The release from which on net_bonding calls its devices members; before, slaves. */
    private static final int MEMBERS_SINCE = 23 * 100 + 11;

    private DpdkPorts() {
    }

    /** The port with its options in the words of the node's DPDK. */
    static Port inWordsOf(SystemRow system, Port port) {
        String devargs = port.options().getOrDefault(DEVARGS, "");
        if (!devargs.startsWith("net_bonding") || version(system.dpdkVersion()) >= MEMBERS_SINCE) {
            return port;
        }
        SortedMap<String, String> options = new TreeMap<>(port.options());
        options.putAll(Map.of(DEVARGS, devargs.replace(",member=", ",slave=")));
        return new Port(port.number(), port.type(), options, port.bfd());
    }

    private static int version(String text) {
        Matcher matcher = VERSION.matcher(text);
        return matcher.find() ? Integer.parseInt(matcher.group(1)) * 100 + Integer.parseInt(matcher.group(2)) : 0;
    }

    /**
     * The error of a port's Interface with what to do about it.
     *
     * @param error in the words of Open vSwitch; not empty
     */
    static String explain(SystemRow system, Port port, OptionalInt mtu, String error) {
        return switch (port.type()) {
            // iface_types has dpdk only once DPDK has started
            case "dpdk" -> error + ": " + (!VERSION.matcher(system.dpdkVersion()).find()
                ? "the node's Open vSwitch was built without DPDK; install one with it (package"
                    + " openvswitch-switch-dpdk of Debian), or give the port another kind"
                : system.dpdkInitialized() ? device(port, mtu, error)
                    : "DPDK has not started on the node, and ovs-vswitchd's log says why: often too few huge pages or"
                        + " too little memory; correct the switch's dpdk, then restart ovs-vswitchd");
            case "afxdp" -> error + ": " + (!system.interfaceTypes().contains(port.type())
                ? "the node's Open vSwitch was built without AF_XDP (configure --enable-afxdp); install one with it, or"
                    + " give the port another kind"
                : "the port needs a network device of its name, and memory that may be locked (ulimit -l); with"
                    + " xdp-mode generic every device works");
            default -> error;
        };
    }

    private static String device(Port port, OptionalInt mtu, String error) {
        if (error.startsWith("Error attaching device")) {
            return "DPDK has no such device; see dpdk-devbind.py --status on the node for the address of the card and"
                + " whether a driver of DPDK has it, and correct devargs";
        }
        return error.startsWith("could not add network device")
            ? "DPDK has the device and cannot set it up" + (mtu.isPresent()
                ? " with an MTU of " + mtu.getAsInt() + " bytes" : "")
                + "; ovs-vswitchd's log says why: the MTU, queues or descriptors that it does not take, or too little"
                + " memory for packets (the switch's dpdk)" + (port.options().getOrDefault(DEVARGS, "")
                    .startsWith("net_bonding") ? ", or members that DPDK has not found, that other ports use, or that"
                        + " have too few transmit queues (as many as PMD threads, and one more)" : "")
            : "correct the port's settings";
    }
}
