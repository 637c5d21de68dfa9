package org.daqfabric.impl.proof;

import com.google.common.collect.MapDifference;
import com.google.common.collect.Maps;
import com.google.common.collect.Sets;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.daqfabric.api.placement.Route;
import org.daqfabric.api.spec.Address;
import org.daqfabric.impl.controller.spi.PathProver.Scene;
import org.daqfabric.impl.controller.spi.ProofChannel;
import org.daqfabric.impl.controller.spi.ProofChannel.Frame;
import org.daqfabric.impl.engine.proof.Pair;
import org.daqfabric.impl.engine.proof.PairReport;
import org.daqfabric.impl.engine.proof.PairTurn;
import org.daqfabric.impl.engine.proof.ProofFrame;
import org.daqfabric.impl.engine.proof.ProofPlan;
import org.daqfabric.impl.engine.proof.Prover;
import org.daqfabric.impl.engine.proof.SilentParts;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.LinkDirection;
import org.daqfabric.impl.engine.topology.Topology;
import org.daqfabric.impl.engine.trace.Trace;
import org.eclipse.jdt.annotation.Nullable;

/** The proofs of one fabric. Thread-safe: packets arrive on threads of the channel. */
final class FabricProofs {
    private final ProofChannel channel;
    private final Executor planner;
    private final long sender;
    private final Consumer<SilentParts> silence;
    private final Consumer<PairReport> pairs;
    @GuardedBy("this")
    private final Prover prover = new Prover();
    @GuardedBy("this")
    private final PairTurn turn;
    @GuardedBy("this")
    private SilentParts silent = SilentParts.NONE;
    /** Pairs that were missed, and had no path, when that was reported last. */
    @GuardedBy("this")
    private Set<Pair> withoutPath = Set.of();
    /** What packets are sent through; null before the first plan, and when closed. */
    @GuardedBy("this")
    private @Nullable Scene scene;
    /** What is to be planned next; null if nothing is. */
    @GuardedBy("this")
    private @Nullable Scene next;

    FabricProofs(ProofChannel channel, Executor planner, long sender, Duration mostAge,
            Consumer<SilentParts> silence, Consumer<PairReport> pairs) {
        this.channel = channel;
        this.planner = planner;
        this.sender = sender;
        this.silence = silence;
        this.pairs = pairs;
        turn = new PairTurn(mostAge.toNanos());
        channel.receiveProofs(sender, this::arrived);
    }

    /** Plans for a scene, unless a newer one comes before that begins. Links out of use are not proven from now on. */
    synchronized void follow(Scene now) {
        boolean isBusy = next != null;
        next = now;
        prover.leave(now.unusable().down(), now.silent());
        if (!isBusy) {
            try {
                planner.execute(this::plan);
            } catch (RejectedExecutionException e) {
                next = null; // the controller stops
            }
        }
    }

    private void plan() {
        Scene planned;
        Set<Pair> gone;
        synchronized (this) {
            planned = next;
            next = null;
            gone = withoutPath;
        }
        if (planned == null) {
            return;
        }
        ProofPlan plan = ProofPlan.of(planned.topology(), planned.numbers(), planned.programs(), planned.unusable(),
            planned.silent());
        Set<Pair> returned = withPath(gone, planned);
        synchronized (this) {
            final Set<Address> moved = scene == null ? Set.of() : moved(scene.routes(), planned.routes());
            scene = planned;
            prover.follow(plan, System.nanoTime());
            turn.follow(planned.topology(), System.nanoTime());
            turn.moved(moved, System.nanoTime());
            turn.returned(returned, System.nanoTime());
            turn.again(System.nanoTime());
            if (next != null) {
                prover.leave(next.unusable().down(), next.silent());
            }
        }
    }

    /** Addresses with another route, or with one again. */
    private static Set<Address> moved(SortedMap<Address, Route> before, SortedMap<Address, Route> now) {
        MapDifference<Address, Route> changes = Maps.difference(before, now);
        return Sets.union(changes.entriesDiffering().keySet(), changes.entriesOnlyOnRight().keySet());
    }

    /** Directions of links in which packets take long. */
    synchronized Set<LinkDirection> slow() {
        return scene == null ? Set.of() : prover.slow();
    }

    void tick() {
        Scene now;
        List<Prover.Order> orders;
        SilentParts news = null;
        Optional<PairTurn.Known> known;
        synchronized (this) {
            now = scene; // that of the orders: a switch of the next one is not in this one
            if (now == null) {
                return;
            }
            long nanos = System.nanoTime();
            orders = new ArrayList<>(prover.tick(nanos,
                name -> channel.isConnected(now.topology().datapathId(name))));
            turn.crossed(prover.lastCrossed());
            orders.addAll(turn.tick(nanos));
            known = turn.news(nanos);
            SilentParts found = new SilentParts(prover.silent(), prover.mute());
            if (!found.equals(silent)) {
                silent = found;
                news = found;
            }
        }
        send(now, orders);
        if (news != null) {
            silence.accept(news);
        }
        known.ifPresent(each -> planner.execute(() -> report(now, each)));
    }

    private void report(Scene now, PairTurn.Known known) {
        Set<Pair> gone = new HashSet<>(known.missed());
        gone.removeAll(withPath(gone, now));
        synchronized (this) {
            withoutPath = gone;
        }
        pairs.accept(PairReport.of(known, gone));
    }

    /** The pairs of which packets arrive by the rules that switches should have. */
    private static Set<Pair> withPath(Set<Pair> pairs, Scene in) {
        if (pairs.isEmpty()) {
            return Set.of();
        }
        Trace trace = new Trace(in.topology(), in.numbers(), in.programs(), in.unusable().down());
        return pairs.stream().filter(pair -> trace.follow(pair.from(), pair.to().address()).arrived())
            .collect(Collectors.toSet());
    }

    /** Those of one switch together. */
    private void send(Scene now, List<Prover.Order> orders) {
        Map<Long, List<Frame>> bySwitch = new LinkedHashMap<>();
        for (Prover.Order order : orders) {
            if (order.port() == Prover.TABLE && !areConnected(now.topology(), order)) {
                withdrawn(order.id());
                continue;
            }
            Frame frame = new Frame(order.port(), new ProofFrame(sender, order.id()).bytes(order.mac(),
                now.topology().mac(order.switchName()), order.destination(),
                order.large() ? now.mtu().orElse(ProofFrame.USUAL_MTU) : 0));
            long datapathId = now.topology().datapathId(order.switchName());
            if (order.confirmed()) {
                channel.transmitConfirmed(datapathId, frame).thenRun(() -> confirmed(order.id()));
            } else {
                bySwitch.computeIfAbsent(datapathId, id -> new ArrayList<>()).add(frame);
            }
        }
        bySwitch.forEach(channel::transmit);
    }

    /** Whether the switches where a packet begins and ends can send it and report it. */
    private boolean areConnected(Topology topology, Prover.Order order) {
        Endpoint to = topology.addresses().get(order.destination());
        return to != null && channel.isConnected(topology.datapathId(order.switchName()))
            && channel.isConnected(topology.datapathId(to.edge()));
    }

    private synchronized void withdrawn(long id) {
        turn.withdrawn(id);
    }

    private synchronized void confirmed(long id) {
        prover.confirmed(id);
    }

    private synchronized void arrived(long id) {
        if (id < 0) {
            turn.arrived(id);
        } else {
            prover.arrived(id, System.nanoTime());
        }
    }

    void close() {
        channel.receiveProofs(sender, null);
        synchronized (this) {
            scene = null;
        }
    }
}
