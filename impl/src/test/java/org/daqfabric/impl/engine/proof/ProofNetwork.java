package org.daqfabric.impl.engine.proof;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.CompiledFabric;
import org.daqfabric.impl.engine.compile.PortAllocator;
import org.daqfabric.impl.engine.topology.LinkDirection;
import org.daqfabric.impl.engine.topology.Topology;
import org.daqfabric.impl.engine.trace.PacketPath;
import org.daqfabric.impl.engine.trace.Trace;

/** A fabric with a prover, whose packets take the compiled rules and get lost as a test says. */
final class ProofNetwork {
    static final long MILLI = 1_000_000;
    private static final long PAUSE = 200 * MILLI;
    /** What a switch that takes a packet out of its own table knows as the in-port. */
    private static final int NO_PORT = 0xfffffffd;

    final Topology topology;
    final Prover prover = new Prover();
    final Map<String, Program> programs;
    final PortNumbers numbers;
    /** By the port by which packets leave. */
    final Set<PortId> dead = new HashSet<>();
    final Set<PortId> deadForLarge = new HashSet<>();
    /** Switches that do not answer the controller, which it has not noticed. */
    final Set<String> standing = new HashSet<>();
    /** Switches that are not connected. */
    final Set<String> away = new HashSet<>();
    /** Switches that hold no rules. */
    final Set<String> empty = new HashSet<>();
    final Map<PortId, Double> lossy = new HashMap<>();
    /** Packets that lossy directions have lost. */
    int dropped;
    /** How many of the packets that pass a daqring it drops. */
    double ringsDrop;
    /** The longest time in ms that a packet takes through one switch and to the controller. */
    int latency = 5;
    /** How many packets take {@link #PAUSE} more: somebody has stood still for a moment. */
    double late;
    /** Until when the controller does nothing. */
    long stopsUntil;
    long now;
    private ProofPlan plan = ProofPlan.NONE;
    private long sent;
    private final Queue<Arrival> arrivals = new PriorityQueue<>(Comparator.comparingLong(Arrival::at));
    private final Random random;
    private final Trace trace;

    private record Arrival(long at, long id) {
    }

    ProofNetwork(FabricSpec spec, UnusableLinks unusable, Set<String> ringCapable, Random random) {
        this.random = random;
        topology = new Topology(spec);
        CompiledFabric compiled = CompiledFabric.of(topology, unusable, ringCapable);
        numbers = compiled.numbers();
        programs = compiled.programs();
        trace = new Trace(topology, numbers, programs, unusable.down());
        plan(unusable, Set.of());
    }

    ProofPlan plan(UnusableLinks unusable, Set<PortId> silent) {
        plan = ProofPlan.of(topology, numbers, programs, unusable, silent);
        prover.follow(plan, now);
        return plan;
    }

    /** Whether two neighbours at least can send packets into a switch, and others pass that do not take it. */
    boolean isShownByOthers(String name) {
        Predicate<String> connected = each -> !away.contains(each);
        return plan.direct().entrySet().stream().filter(each -> each.getKey().in().switchName().equals(name)
                && each.getValue().behind(connected) > 1).map(each -> each.getKey().out().switchName())
                .distinct().count() > 1
            && plan.chains().stream().anyMatch(path -> path.behind(connected) > 0
                && path.directions().stream().noneMatch(each -> each.in().switchName().equals(name)
                    || each.out().switchName().equals(name)));
    }

    /** Lets time pass; the number of packets that are sent meanwhile. */
    long sentIn(long millis) {
        long before = sent;
        run(millis);
        return sent - before;
    }

    /** Lets time pass. */
    void run(long millis) {
        for (long until = now + millis * MILLI; now < until; now += 20 * MILLI) {
            if (now < stopsUntil) {
                continue;
            }
            while (!arrivals.isEmpty() && arrivals.peek().at() <= now) {
                Arrival arrival = arrivals.remove();
                prover.arrived(arrival.id(), Math.max(arrival.at(), stopsUntil));
            }
            prover.tick(now, name -> !away.contains(name)).forEach(this::send);
        }
    }

    private void send(Prover.Order order) {
        sent++;
        if (standing.contains(order.switchName()) || away.contains(order.switchName())) {
            return;
        }
        if (order.confirmed()) {
            prover.confirmed(order.id());
        }
        String at = order.switchName();
        int inPort = NO_PORT;
        if (order.port() != Prover.TABLE) {
            PortId out = name(at, order.port());
            LinkDirection direction = directionOf(out);
            if (isLost(out, order.large())) {
                return;
            }
            at = direction.in().switchName();
            inPort = direction.inNumber();
        }
        PacketPath path = trace.follow(at, inPort, order.mac(), order.destination());
        boolean lost = !path.arrived();
        for (PacketPath.Hop hop : path.hops()) {
            lost |= empty.contains(hop.switchName());
            lost |= isLost(new PortId(hop.switchName(), hop.outName()), order.large());
            lost |= PortAllocator.isRing(hop.outPort()) && random.nextDouble() < ringsDrop;
            at = hop.switchName();
        }
        if (!lost && !standing.contains(at) && !away.contains(at)) {
            long pause = late > 0 && random.nextDouble() < late ? PAUSE : 0;
            arrivals.add(new Arrival(now + (1 + path.hops().size()) * random.nextInt(latency) / 2 * MILLI + pause,
                order.id()));
        }
    }

    private boolean isLost(PortId out, boolean large) {
        boolean isLost = random.nextDouble() < lossy.getOrDefault(out, 0.0);
        dropped += isLost ? 1 : 0;
        return isLost || dead.contains(out) || large && deadForLarge.contains(out);
    }

    private PortId name(String switchName, int number) {
        return new PortId(switchName, numbers.of(switchName).entrySet().stream()
            .filter(each -> each.getValue() == number).findFirst().orElseThrow().getKey());
    }

    private LinkDirection directionOf(PortId out) {
        return topology.segments(out.switchName()).stream().filter(each -> each.at(out.switchName()).equals(out))
            .map(each -> {
                PortId in = each.lower().equals(out) ? each.upper() : each.lower();
                return new LinkDirection(each.id(), out, numbers.of(out).orElseThrow(), in,
                    numbers.of(in).orElseThrow());
            }).findFirst().orElseThrow();
    }
}
