package org.daqfabric.impl.engine.topology;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Flow;
import org.daqfabric.api.spec.Host;
import org.daqfabric.api.spec.Pod;

/** The hosts of a fabric that are neither ROS nor DCMs, and who exchanges packets with them. Immutable. */
public final class OtherHosts {
    private final SortedMap<Address, Endpoint> hosts = new TreeMap<>();
    private final SortedMap<Address, Endpoint> addresses;
    private final Map<String, List<Endpoint>> behind = new HashMap<>();
    private final List<FlowPair> pairs = new ArrayList<>();
    private final Map<String, SortedSet<Address>> peers = new HashMap<>();
    private final Map<Address, SortedSet<String>> senders = new HashMap<>();
    private final Map<Address, SortedSet<Address>> control = new HashMap<>();
    private final SortedMap<Address, List<FlowPair>> declaredControl = new TreeMap<>();

    OtherHosts(FabricSpec spec, SortedMap<Address, Endpoint> endpoints) {
        for (Pod pod : spec.pods()) {
            for (Host host : pod.hosts()) {
                Endpoint endpoint = new Endpoint(host.address(), host.name(), Endpoint.Kind.HOST, 1, pod.id(),
                    host.switchName(), host.port(), host.mac());
                hosts.put(host.address(), endpoint);
                behind.computeIfAbsent(host.switchName(), name -> new ArrayList<>()).add(endpoint);
            }
        }
        // most fabrics have no such hosts, and thousands of names and addresses
        if (hosts.isEmpty()) {
            addresses = endpoints;
            return;
        }
        addresses = new TreeMap<>(endpoints);
        addresses.putAll(hosts);
        FlowEnds ends = new FlowEnds(spec);
        spec.flows().forEach(flow -> add(flow, ends.of(flow.from()), ends.of(flow.to())));
        addDeclaredControl();
    }

    /** A flow of events between two ends of a flow of control is told from it by nothing. */
    private void addDeclaredControl() {
        Map<Address, Set<Address>> declared = new HashMap<>();
        pairs.stream().filter(pair -> pair.kind() == Flow.Kind.CONTROL && pair.usesLinks()).forEach(pair ->
            declared.computeIfAbsent(pair.from().address(), address -> new HashSet<>()).add(pair.to().address()));
        pairs.stream().filter(pair -> declared.getOrDefault(pair.from().address(), Set.of())
            .contains(pair.to().address())).forEach(pair ->
                declaredControl.computeIfAbsent(pair.from().address(), address -> new ArrayList<>()).add(pair));
    }

    private void add(Flow flow, List<Address> from, List<Address> to) {
        int count = from.size() * to.size();
        for (Address sender : from) {
            for (Address receiver : to) {
                FlowPair pair = new FlowPair(flow.name(), addresses.get(sender), addresses.get(receiver),
                    flow.kind(), flow.rate() / count, flow.share() / count);
                pairs.add(pair);
                if (flow.kind() == Flow.Kind.CONTROL) {
                    control.computeIfAbsent(receiver, address -> new TreeSet<>()).add(sender);
                    control.computeIfAbsent(sender, address -> new TreeSet<>()).add(receiver);
                }
                if (pair.usesLinks()) {
                    peer(pair.from(), pair.to());
                    peer(pair.to(), pair.from());
                }
            }
        }
    }

    private void peer(Endpoint at, Endpoint other) {
        peers.computeIfAbsent(at.edge(), name -> new TreeSet<>()).add(other.address());
        senders.computeIfAbsent(other.address(), address -> new TreeSet<>()).add(at.edge());
    }

    public boolean isEmpty() {
        return hosts.isEmpty();
    }

    /** The hosts by address. */
    public SortedMap<Address, Endpoint> hosts() {
        return Collections.unmodifiableSortedMap(hosts);
    }

    /** These hosts, DCMs and ROS by address. */
    SortedMap<Address, Endpoint> addresses() {
        return Collections.unmodifiableSortedMap(addresses);
    }

    /** The hosts behind an edge switch. */
    public List<Endpoint> behind(String edge) {
        return Collections.unmodifiableList(behind.getOrDefault(edge, List.of()));
    }

    /** The addresses from which control, or answers to it, comes to an address. */
    public Set<Address> controlTo(Address address) {
        return Collections.unmodifiableSet(control.getOrDefault(address, Collections.emptySortedSet()));
    }

    /**
     * By sender, what is declared for those to whom it sends control that leaves its edge switch: flows of control, and
     * of events between the same two. What the others answer is not declared.
     */
    public SortedMap<Address, List<FlowPair>> declaredControl() {
        return Collections.unmodifiableSortedMap(declaredControl);
    }

    /** Every sender and receiver of every flow. */
    public List<FlowPair> pairs() {
        return Collections.unmodifiableList(pairs);
    }

    /** The addresses with which a host, ROS or DCM exchanges packets by flows. */
    public SortedSet<Address> peers(Endpoint host) {
        SortedSet<Address> found = new TreeSet<>();
        for (FlowPair pair : pairs) {
            if (pair.from().equals(host)) {
                found.add(pair.to().address());
            } else if (pair.to().equals(host)) {
                found.add(pair.from().address());
            }
        }
        return found;
    }

    /** The addresses behind other edge switches with which those behind an edge switch exchange packets by flows. */
    public Set<Address> peers(String edge) {
        return Collections.unmodifiableSet(peers.getOrDefault(edge, Collections.emptySortedSet()));
    }

    /** The edge switches that have such {@link #peers}. */
    public Set<String> edges() {
        return Collections.unmodifiableSet(peers.keySet());
    }

    /** The edge switches of which an address is such a peer. */
    public Set<String> senders(Address address) {
        return Collections.unmodifiableSet(senders.getOrDefault(address, Collections.emptySortedSet()));
    }
}
