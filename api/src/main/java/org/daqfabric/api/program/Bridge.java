package org.daqfabric.api.program;

import java.util.Collections;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.spec.DatapathType;
import org.daqfabric.api.spec.Mac;

/**
 * What OVSDB must hold for one switch.
 *
 * @param fabric name of the fabric the bridge belongs to, kept in its {@code external_ids:daqfabric}
 * @param name the bridge's name
 * @param datapathId OpenFlow datapath-id; its lower 48 bits are {@code mac}
 * @param mac Ethernet address of the bridge's own port ({@code other_config:hwaddr})
 * @param ports the ports besides the bridge's own, by name
 * @param mtu bytes that {@code mtu_request} of the bridge's own port and of every port but daqrings, which have no MTU,
 *     must be; empty if daqfabric sets none
 * @param node what {@code other_config} of the node's Open_vSwitch row must have for these ports
 * @param surplusStays whether further ports that daqfabric has made stay, as rules may still need them
 */
public record Bridge(String fabric, String name, long datapathId, Mac mac, DatapathType datapathType,
        SortedMap<String, Port> ports, OptionalInt mtu, SortedMap<String, String> node, boolean surplusStays) {
    public Bridge {
        ports = Collections.unmodifiableSortedMap(new TreeMap<>(ports));
        node = Collections.unmodifiableSortedMap(new TreeMap<>(node));
    }

    /** A bridge with these ports and no others, which keep the MTU that they have. */
    public Bridge(String fabric, String name, long datapathId, Mac mac, DatapathType datapathType,
            SortedMap<String, Port> ports) {
        this(fabric, name, datapathId, mac, datapathType, ports, OptionalInt.empty(), Collections.emptySortedMap(),
            false);
    }

    /** The same with other ports. */
    public Bridge withPorts(SortedMap<String, Port> others) {
        return new Bridge(fabric, name, datapathId, mac, datapathType, others, mtu, node, surplusStays);
    }

    /** This bridge with these ports, too, and with further ones if that is asked for. */
    public Bridge with(SortedMap<String, Port> more, boolean surplus) {
        SortedMap<String, Port> all = new TreeMap<>(more);
        all.putAll(ports);
        return new Bridge(fabric, name, datapathId, mac, datapathType, all, mtu, node, surplus);
    }

    /**
     * A port of the bridge.
     *
     * @param number fixed OpenFlow number ({@code ofport_request}), 1..65279
     * @param type Interface type: "" for a network device that exists, "dpdk" for a device that DPDK drives, "afxdp"
     *     for one through an AF_XDP socket, "daqring" for a daqring
     * @param options Interface options
     * @param bfd the Interface's {@code bfd} column; empty where BFD is off
     */
    public record Port(int number, String type, SortedMap<String, String> options, SortedMap<String, String> bfd) {
        public Port {
            options = Collections.unmodifiableSortedMap(new TreeMap<>(options));
            bfd = Collections.unmodifiableSortedMap(new TreeMap<>(bfd));
        }
    }
}
