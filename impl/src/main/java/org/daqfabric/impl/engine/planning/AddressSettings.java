package org.daqfabric.impl.engine.planning;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.daqfabric.api.spec.Address;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * How a host is reached and reaches others.
 *
 * @param routeOptions what TCP is told by its routes
 */
record AddressSettings(Topology topology, Host host, int mtu, String routeOptions) {
    private static final String ADDRESSING = "thesis, sections 6.2.3 and 6.3.1 (Network)";

    List<Setting> all() {
        return Stream.concat(host.endpoint().mac().stream().map(mac -> new Setting("mac", mac.toString(),
                "the edge switch writes this address into the packets for the host",
                "the configuration, mac of the host",
                "the card has it already", List.of("ip link set dev " + host.device() + " address " + mac))),
            Stream.of(noArp(), mtuOfDevice(), address(), routes())).toList();
    }

    private Setting noArp() {
        return new Setting("arp", "off", "no switch answers ARP; all rules are by IP address", ADDRESSING,
            "never; on an interface that leads elsewhere too it cuts that off",
            List.of("ip link set dev " + host.device() + " arp off"));
    }

    private Setting mtuOfDevice() {
        return new Setting("mtu", String.valueOf(mtu), "a larger segment takes fewer headers and less of the CPU",
            "thesis, appendix A.2; D. Lupu, High-Performance Networking in Distributed Quasi Real-time Systems "
                + "(9000 bytes)",
            topology.spec().policy().mtu().isPresent()
                ? "below that of the fabric, except while the fabric's is being changed: TCP then sends more packets"
                    + " than a daqring of default size holds"
                : "above 1500, unless every switch port, card and host of the fabric has the same: larger packets are "
                    + "dropped without a word. Set the fabric's mtu, then all have it",
            List.of("ip link set dev " + host.device() + " mtu " + mtu + " up"));
    }

    private Setting address() {
        Address address = host.endpoint().address();
        String network = address + "/" + address.bits();
        return new Setting("address", network, "every host is a network of its own; a DCM binds its sockets to it",
            ADDRESSING, "never", List.of("ip address replace " + network + " dev " + host.device()));
    }

    private Setting routes() {
        Endpoint endpoint = host.endpoint();
        boolean inEvents = endpoint.kind() != Endpoint.Kind.HOST;
        Set<Address> byFlows = topology.others().peers(endpoint);
        Set<Address> peers = new TreeSet<>(byFlows);
        topology.endpoints().values().stream().filter(peer -> inEvents && peer.kind() != endpoint.kind())
            .map(Endpoint::address).forEach(peers::add);
        List<String> prefixes = PrefixCover.of(List.copyOf(peers));
        // DCMs on one host share its routes, and so the scripts of all of them say the same; of other hosts, one may
        // have IPv4 and another IPv6
        Address source = topology.addresses().values().stream()
            .filter(each -> each.sharesHost(endpoint) && each.kind() == endpoint.kind())
            .map(Endpoint::address).filter(each -> each.isIpv4() == endpoint.address().isIpv4())
            .min(Address::compareTo).orElse(endpoint.address());
        String ends = !inEvents ? "other ends of its flows"
            : (endpoint.isDcm() ? "ROS" : "DCMs")
                + (byFlows.isEmpty() ? "" : " and of hosts");
        return new Setting("routes", prefixes.size() + " prefixes",
            "exactly the addresses of the " + ends + "; other traffic of the host stays "
                + "where it is. Again after ROS or DCMs are added, and whenever the interface was made anew",
                ADDRESSING, "never",
            prefixes.stream().map(prefix -> "ip route replace " + prefix + " dev " + host.device() + " src " + source
                + routeOptions).toList());
    }
}
