package org.daqfabric.bench;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.plan.Schedule;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.place.Placer;
import org.daqfabric.impl.engine.place.Scope;
import org.daqfabric.impl.engine.routing.Routing;
import org.daqfabric.impl.engine.schedule.Scheduler;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Segment;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * How many phases schedules have, against their bound and against a linear shift on the same paths, in which a phase
 * lasts as long as its fullest link; and the processor's time for one. All but the time is the same on every machine.
 */
public final class ScheduleCounts {
    private static final int REPEATS = 9;

    private ScheduleCounts() {
    }

    /** Prints a table in Markdown. */
    public static void main(String[] unused) {
        System.out.println("| nodes | planes, spines | | bound | phases | of the bound | linear shift | ms |");
        System.out.println("|---|---|---|---|---|---|---|---|");
        for (int[] size : new int[][] {{2, 2, 2, 4}, {2, 4, 4, 8}, {2, 13, 4, 25}, {2, 25, 10, 50}}) {
            FabricSpec spec = TestFabrics.builders(size[0], size[1], size[2], size[3]);
            String name = size[2] * size[3] + " | " + size[0] + ", " + size[1] + " | ";
            print(name + "whole", spec, UnusableLinks.ALL_UP);
            print(name + "one link cut", spec, TestFabrics.down("leaf-1-1:s1"));
            print(name + "two links cut", spec, TestFabrics.down("leaf-1-1:s1", "leaf-2-2:s2"));
            print(name + "a spine fails", spec, TestFabrics.without(spec, "spine-1-1"));
        }
    }

    private static void print(String name, FabricSpec spec, UnusableLinks down) {
        Topology topology = new Topology(spec);
        Placement whole = Placer.place(topology, UnusableLinks.ALL_UP, Placement.EMPTY, Scope.OPTIMISE);
        Placement placement = Placer.place(topology, down, whole, Scope.REPAIR);
        Schedule schedule = Scheduler.of(topology, down, placement, 0);
        List<Double> millis = new ArrayList<>();
        for (int repeat = 0; repeat < REPEATS; repeat++) {
            long begin = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            Scheduler.of(topology, down, placement, repeat);
            millis.add((ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - begin) / 1e6);
        }
        millis.sort(null);
        System.out.printf(Locale.ROOT, "| %s | %d | %d | %.2f | %.0f | %.1f |%n", name, schedule.bound(),
            schedule.phases(), schedule.phases() / (double) schedule.bound(), shift(topology, down, placement),
            millis.get(REPEATS / 2));
    }

    /** Phases as long as one transfer: first every node to the one after it, then to the second after it and so on. */
    private static double shift(Topology topology, UnusableLinks down, Placement placement) {
        Routing routing = new Routing(topology, down, placement);
        List<Endpoint> ros = topology.endpoints().values().stream().filter(host -> !host.isDcm()).toList();
        Map<String, Endpoint> dcms = new HashMap<>();
        topology.dcms().forEach(dcm -> dcms.put(dcm.edge(), dcm));
        double length = 0;
        for (int step = 1; step < ros.size(); step++) {
            Map<Object, Double> loads = new HashMap<>();
            for (int from = 0; from < ros.size(); from++) {
                add(topology, routing, ros.get(from), dcms.get(ros.get((from + step) % ros.size()).edge()), loads);
            }
            length += Math.max(1, loads.values().stream().mapToDouble(load -> load).max().orElse(0));
        }
        return length;
    }

    private static void add(Topology topology, Routing routing, Endpoint ros, Endpoint dcm,
            Map<Object, Double> loads) {
        if (ros.pod() == dcm.pod()) {
            return;
        }
        routing.plane(ros.edge(), dcm.address()).ifPresent(plane -> {
            String spine = topology.spines(plane).get(
                routing.spine(plane, ros.pod(), dcm.address()).orElseThrow());
            Segment up = topology.between(topology.leaf(plane, ros.pod()), spine).get(0);
            Segment to = topology.between(topology.leaf(plane, dcm.pod()), spine).get(0);
            loads.merge(List.of(up.id(), true), 1.0, Double::sum);
            loads.merge(List.of(to.id(), false), 1.0, Double::sum);
        });
    }
}
