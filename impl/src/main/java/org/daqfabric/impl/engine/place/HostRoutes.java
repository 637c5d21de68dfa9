package org.daqfabric.impl.engine.place;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.Route;
import org.daqfabric.api.placement.SpineChoice;
import org.daqfabric.api.spec.Address;
import org.daqfabric.impl.engine.routing.UsableFabric;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.FlowPair;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * Places the hosts that are neither ROS nor DCMs, before the DCMs, which then are placed on what their flows leave:
 * one after the other, those that receive most first, each where most of its senders reach it and then where the
 * fullest link on their ways is least full. Flows to ROS and DCMs take the routes of these, which are not known yet,
 * and take nothing here.
 */
final class HostRoutes {
    /** What an answer takes, so that hosts that only send are spread as well. */
    private static final double ANSWER = 1e-6;
    /** Parts of links are compared in steps of one by this. */
    private static final double STEPS = 1e9;

    private final Topology topology;
    private final UsableFabric fabric;
    private final Placement previous;
    private final boolean keepPrevious;
    private final HostLoads loads;
    /** By receiving address, Gbps by sending edge switch. */
    private final Map<Address, Map<Integer, Double>> senders = new TreeMap<>();
    private final SortedMap<Address, Route> routes = new TreeMap<>();

    /**
     * A plane and a spine, and what they are worth.
     *
     * @param spine negative for none
     * @param served number of senders that they serve
     * @param part of the fullest link, in steps
     */
    private record Option(int plane, int spine, int served, long part) {
    }

    private HostRoutes(Topology topology, UsableFabric fabric, Placement previous, Scope scope) {
        this.topology = topology;
        this.fabric = fabric;
        this.previous = previous;
        keepPrevious = scope == Scope.REPAIR;
        loads = new HostLoads(fabric);
    }

    static HostRoutes of(Topology topology, UsableFabric fabric, Placement previous, Scope scope) {
        HostRoutes routes = new HostRoutes(topology, fabric, previous, scope);
        if (!topology.others().isEmpty()) {
            routes.place();
        }
        return routes;
    }

    /** The routes of the hosts that have one. */
    SortedMap<Address, Route> routes() {
        return routes;
    }

    /** Adds the routes of the hosts to others. */
    void addTo(List<Map.Entry<Address, Route>> others) {
        routes.forEach((address, route) -> others.add(Map.entry(address, route)));
    }

    /** What the flows to the hosts take of links. */
    HostLoads loads() {
        return loads;
    }

    private void place() {
        double events = topology.mostEvents(this::uplinks);
        for (FlowPair pair : topology.others().pairs()) {
            if (pair.usesLinks()) {
                send(pair.from(), pair.to(), pair.gbps(events));
                send(pair.to(), pair.from(), ANSWER);
            }
        }
        topology.others().hosts().values().stream().sorted(Comparator.comparingDouble((Endpoint host) ->
            -senders(host).values().stream().mapToDouble(Double::doubleValue).sum()).thenComparing(Endpoint::name))
            .forEach(this::place);
    }

    private void send(Endpoint from, Endpoint to, double gbps) {
        senders.computeIfAbsent(to.address(), address -> new TreeMap<>())
            .merge(fabric.edge(from.edge()), gbps, Double::sum);
    }

    private Map<Integer, Double> senders(Endpoint host) {
        return senders.getOrDefault(host.address(), Map.of());
    }

    private double uplinks(String edge) {
        return IntStream.range(0, fabric.planes())
            .mapToDouble(plane -> HostLoads.capacity(fabric.edgeLinks(plane, fabric.edge(edge)))).sum();
    }

    private void place(Endpoint host) {
        int edge = fabric.edge(host.edge());
        List<List<Option>> planes = new ArrayList<>(IntStream.range(0, fabric.planes())
            .filter(plane -> fabric.inPlane(plane, edge)).mapToObj(plane -> spines(host, plane)).toList());
        if (planes.isEmpty()) {
            return;
        }
        Route before = previous.routes().get(host.address());
        planes.sort((one, other) -> compare(one.get(0), other.get(0), before));
        if (keepPrevious && before != null && servesMost(host, before)) {
            planes.sort(Comparator.comparingInt(spines -> rank(spines.get(0), before)));
        }
        List<Integer> order = planes.stream().map(spines -> fabric.planeId(spines.get(0).plane())).toList();
        SortedMap<Integer, SpineChoice> choices = new TreeMap<>();
        for (List<Option> spines : planes) {
            Option first = spines.get(0);
            choices.put(fabric.planeId(first.plane()), new SpineChoice(id(first), spines.size() > 1
                ? id(spines.get(1)) : 0));
        }
        Route route = new Route(order, choices);
        routes.put(host.address(), route.equals(before) ? before : route);
        senders(host).forEach((from, gbps) -> order.stream().map(fabric::plane)
            .filter(plane -> fabric.connects(plane, from, edge)).findFirst()
            .ifPresent(plane -> loads.add(plane, from, spine(plane, from, edge, route), edge, gbps)));
    }

    /** The spine that packets from an edge switch to another take under a route; of no meaning within a pod. */
    private int spine(int plane, int from, int to, Route route) {
        SpineChoice choice = route.spineChoice(fabric.planeId(plane));
        return fabric.spine(plane, fabric.podOfEdge(from), fabric.podOfEdge(to), fabric.spine(plane, choice.spine()),
            fabric.spine(plane, choice.backup()));
    }

    /** Whether no plane leads from more senders than the first one of a route, which a repair keeps then. */
    private boolean servesMost(Endpoint host, Route before) {
        int first = before.planes().isEmpty() ? -1 : fabric.plane(before.planes().get(0));
        return first >= 0 && IntStream.range(0, fabric.planes()).allMatch(plane ->
            sendersBy(plane, host) <= sendersBy(first, host));
    }

    private long sendersBy(int plane, Endpoint host) {
        return senders(host).keySet().stream().filter(from -> fabric.connects(plane, from, fabric.edge(host.edge())))
            .count();
    }

    /** Whether the spine of a route joins a host's pod to those of all senders that some spine of the plane joins. */
    private boolean joinsAll(Endpoint host, int plane, Route before) {
        int spine = fabric.spine(plane, before.spineChoice(fabric.planeId(plane)).spine());
        int to = fabric.podOfEdge(fabric.edge(host.edge()));
        return senders(host).keySet().stream().map(fabric::podOfEdge).allMatch(from ->
            from == to || !fabric.leads(plane, from, to) || fabric.joins(plane, spine, from, to));
    }

    private int id(Option option) {
        return option.spine() < 0 ? 0 : fabric.spineId(option.plane(), option.spine());
    }

    /** The spines of a plane for a host, the best first; one option without a spine if none is linked to its leaf. */
    private List<Option> spines(Endpoint host, int plane) {
        int pod = fabric.podOfEdge(fabric.edge(host.edge()));
        List<Option> options = new ArrayList<>(IntStream.range(0, fabric.spines(plane))
            .filter(spine -> !fabric.spineLinks(plane, spine, pod).isEmpty())
            .mapToObj(spine -> option(host, plane, spine)).toList());
        if (options.isEmpty()) {
            options.add(option(host, plane, -1));
        }
        Route before = previous.routes().get(host.address());
        options.sort((one, other) -> compare(one, other, before));
        if (keepPrevious && before != null && joinsAll(host, plane, before)) {
            options.sort(Comparator.comparingInt(option -> rank(option, before)));
        }
        return options;
    }

    private Option option(Endpoint host, int plane, int spine) {
        int to = fabric.edge(host.edge());
        Map<Integer, Double> served = new TreeMap<>(senders(host));
        served.keySet().removeIf(from -> !fabric.connects(plane, from, to)
            || fabric.podOfEdge(from) != fabric.podOfEdge(to)
                && !fabric.joins(plane, spine, fabric.podOfEdge(from), fabric.podOfEdge(to)));
        return new Option(plane, spine, served.size(), Math.round(loads.part(plane, spine, to, served) * STEPS));
    }

    /** The better one first; of options as good as each other the one of the route before, then the first. */
    private int compare(Option one, Option other, Route before) {
        int order = Integer.compare(other.served(), one.served());
        order = order == 0 ? Long.compare(one.part(), other.part()) : order;
        order = order == 0 ? Integer.compare(rank(one, before), rank(other, before)) : order;
        order = order == 0 ? Integer.compare(one.plane(), other.plane()) : order;
        return order == 0 ? Integer.compare(one.spine(), other.spine()) : order;
    }

    /** Position of an option in a route: by its plane, then as the spine, the backup or none of them. */
    private int rank(Option option, Route before) {
        if (before == null) {
            return 0;
        }
        int plane = before.planes().indexOf(fabric.planeId(option.plane()));
        SpineChoice choice = before.spineChoice(fabric.planeId(option.plane()));
        int spine = id(option) == choice.spine() ? 0 : id(option) == choice.backup() ? 1 : 2;
        return 3 * (plane < 0 ? fabric.planes() : plane) + spine;
    }
}
