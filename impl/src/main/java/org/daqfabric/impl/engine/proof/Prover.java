package org.daqfabric.impl.engine.proof;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.Mac;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.topology.LinkDirection;

/**
 * Finds the directions of links by which no packets pass, from packets that are sent all the time. When one does not
 * arrive in time, each direction it takes is examined by itself ({@link Examination}), so that neither a switch that
 * does not answer, nor a controller that stands still, nor a full daqring, makes a link look silent. A switch that is
 * not connected can send nothing itself: if what goes into it by all its links is lost, it is mute. Not thread-safe;
 * times are monotonic, in ns.
 */
public final class Prover {
    /** Packets that begin in a switch's own table, as {@code OFPP_TABLE}. */
    public static final int TABLE = -1;

    private static final long MILLI = 1_000_000;
    /** In which the first pairs of the directions of a chain are sent. */
    private static final long FIRST_PAIRS = 50 * MILLI;
    /**
     * How long a direction is not examined again; doubled each time that showed nothing, up to 32 times as long, and
     * once where nothing passes any more.
     */
    private static final long PAUSE = 500 * MILLI;
    private static final int MOST_DOUBLED = 5;
    /** How long this controller may stand still before nothing that it has examined counts. */
    private static final long STOOD = 100 * MILLI;
    private static final long FORGOTTEN = 5000 * MILLI;
    /**
     * Directions that are examined at a time, or one of so many if that is more: where packets of more are missed,
     * somebody is busy, and examining them all would make it worse.
     */
    private static final int EXAMINED = 16;
    private static final int ONE_OF = 16;
    /** Packets in a row that prove a silent direction, half of them large: two seconds. */
    static final int TO_RETURN = 8;

    private final Map<Long, Sent> outstanding = new LinkedHashMap<>();
    private final Map<PortId, Known> known = new HashMap<>();
    /** Those of them that are examined or silent: few, so that a tick looks at few. */
    private final SortedMap<PortId, Known> watched = new TreeMap<>();
    private final Map<ProofPath, Chain> chains = new LinkedHashMap<>();
    /** Of the plan, by the port out. */
    private final Map<PortId, ProofPath> direct = new HashMap<>();
    /** Links out of use that are not proven. */
    private Set<PortId> left = Set.of();
    /** Whether a switch is connected, by its name. */
    private Predicate<String> connected = name -> true;
    private final MuteSwitches muteSwitches = new MuteSwitches();
    private SortedSet<String> mute = Collections.emptySortedSet();
    private long nextId;
    private long lastTick = Long.MIN_VALUE;
    /** When this controller went on after it had stood still. */
    private long stood = Long.MIN_VALUE;
    private long lastCrossed = Long.MIN_VALUE;
    /** Of all chains. */
    private final Trips trips = new Trips();
    /** How often a packet of each chain is sent, unless they take long. */
    private long usualPeriod = Trips.PERIOD;

    /**
     * A packet to be sent.
     *
     * @param port where the switch sends it, or {@link #TABLE}
     * @param confirmed whether the switch is asked to confirm it
     */
    public record Order(long id, String switchName, int port, Mac mac, Address destination, boolean large,
            boolean confirmed) {
    }

    private enum Kind { CHAIN, ACROSS, BEHIND, RETURN }

    /** {@code begin} is the index of the first direction that it takes. */
    private record Sent(Kind kind, long at, ProofPath path, int begin, boolean large) {
    }

    /** From now on the directions of this plan are proven; what was known of them stays. */
    public void follow(ProofPlan next, long now) {
        direct.clear();
        next.direct().forEach((direction, path) -> direct.put(direction.out(), path));
        Map<LinkDirection, Trips> learned = new HashMap<>();
        chains.forEach((path, chain) -> learned.put(path.first(), chain.trips));
        usualPeriod = Chain.period(next.chains().size());
        Map<ProofPath, Chain> before = new HashMap<>(chains);
        chains.clear();
        int index = 0;
        for (ProofPath path : next.chains()) {
            Chain same = before.get(path);
            chains.put(path, same != null ? same : new Chain(path, learned.getOrDefault(path.first(), new Trips()),
                Chain.due(now + usualPeriod * index / next.chains().size(), usualPeriod)));
            index++;
        }
        Set<PortId> planned = new TreeSet<>(direct.keySet());
        next.chains().forEach(path -> path.directions().forEach(each -> planned.add(each.out())));
        known.keySet().retainAll(planned);
        watched.keySet().retainAll(planned);
        muteSwitches.retain(next.direct().keySet());
    }

    /**
     * These links are out of use, for another reason than that they are silent: their directions are not examined, nor
     * silent any more. Each is looked at anew when it returns.
     *
     * @param unusable links out of use
     * @param silentLinks those among them that are only silent
     */
    public void leave(Set<PortId> unusable, Set<PortId> silentLinks) {
        left = new TreeSet<>(unusable);
        left.removeAll(silentLinks);
        direct.forEach((out, path) -> {
            if (left.contains(path.first().link())) {
                known.remove(out);
                watched.remove(out);
                muteSwitches.passed(path.first());
            }
        });
    }

    /**
     * The packets to be sent now.
     *
     * @param isConnected whether a switch is connected, by its name
     */
    public List<Order> tick(long now, Predicate<String> isConnected) {
        connected = isConnected;
        List<Order> orders = new ArrayList<>();
        // time in which this controller stood still is nobody's else
        long late = lastTick == Long.MIN_VALUE ? 0 : Math.max(0, now - lastTick - Trips.OVERDUE / 2);
        lastTick = now;
        if (late > STOOD) {
            stood = now;
            // what was to arrive meanwhile waits, and is counted after what is sent from now on
            watched.values().forEach(each -> each.examination = null);
            muteSwitches.stood();
        }
        for (Chain chain : chains.values()) {
            chain.due += late;
            check(chain, now - late);
            if (now >= chain.due) {
                long sent = order(orders, Kind.CHAIN, chain.path, 0, chain.large, now);
                // where packets take long, one that is older is waited for
                chain.waiting = chain.isWaiting() ? chain.waiting : sent;
                chain.large = !chain.large;
                chain.due = Math.max(chain.due + chain.period(usualPeriod), now);
            }
        }
        examine(orders, now);
        prove(orders, now);
        watched.values().removeIf(each -> !each.isWatched());
        forget(now);
        mute = muteSwitches.find(now, connected, this::into);
        return orders;
    }

    private void check(Chain chain, long until) {
        if (!chain.isWaiting()) {
            return; // as are nearly all, nearly always
        }
        Sent sent = outstanding.get(chain.waiting);
        if (sent == null) {
            chain.waiting = Chain.NONE; // it has arrived
            return;
        }
        long wait = Math.max(trips.overdue(), chain.trips.overdue());
        if (until - sent.at() > wait) {
            chain.waiting = Chain.NONE; // it may yet arrive
            // one after the other: they share links, whose queues hold a few packets at least
            long due = until;
            for (LinkDirection each : chain.path.directions()) {
                if (suspect(each, sent, until, wait, chain.period(usualPeriod))) {
                    of(each).due = due;
                    due += FIRST_PAIRS / chain.path.directions().size();
                }
            }
        }
    }

    /** Whether an examination begins. */
    private boolean suspect(LinkDirection direction, Sent missed, long now, long wait, long period) {
        boolean large = missed.large();
        Known of = of(direction);
        long passed = large ? of.lastLarge : of.lastPassed;
        if (passed >= missed.at()) {
            return false; // another one that was sent no earlier has passed
        }
        // every other one is large; where two are missed, what examinations did not show before says little
        boolean isMissing = passed == Long.MIN_VALUE || now - passed > wait + (large ? 4 : 2) * period;
        ProofPath path = direct.get(direction.out());
        boolean isRecent = of.examined != Long.MIN_VALUE
            && now - of.examined < PAUSE << Math.min(of.vain, isMissing ? 1 : MOST_DOUBLED);
        int behind = path == null ? 0 : path.behind(connected);
        boolean isProvable = behind > 0 && !left.contains(direction.link()) && (!large || of.large);
        if (!isProvable || of.silent || of.examination != null || isRecent
                || watched.values().stream().filter(each -> each.examination != null).count()
                    >= Math.max(EXAMINED, direct.size() / ONE_OF)) {
            return false;
        }
        of.examination = new Examination(path, behind, missed.at(), large, now, wait);
        watched.put(direction.out(), of);
        return true;
    }

    /** The directions to a switch that can be examined. */
    private List<LinkDirection> into(String name) {
        return direct.values().stream()
            .filter(path -> path.switchBehind(1).equals(name) && !left.contains(path.first().link())
                && path.behind(connected) > 0 && !of(path.first()).silent)
            .map(ProofPath::first).toList();
    }

    private void examine(List<Order> orders, long now) {
        for (Known of : watched.values()) {
            Examination examination = of.examination;
            if (examination == null) {
                continue;
            }
            if (examination.isSending() && now >= of.due) {
                order(orders, Kind.ACROSS, examination.path(), 0, examination.isLarge(), now);
                order(orders, Kind.BEHIND, examination.path(), examination.behind(), examination.isLarge(), now);
                examination.sent(now);
                of.due = now + examination.pause();
            } else if (examination.isOver(now)) {
                of.silentForLarge = examination.isLarge();
                // where no packet passes by any link, what all switches share is at fault, and not this link
                boolean isLost = examination.isLost() && lastCrossed >= examination.begin()
                    && (of.silentForLarge ? of.lastLarge : of.lastPassed) < examination.begin();
                of.silent = isLost && examination.behind() == 1;
                of.silentSince = now;
                LinkDirection first = examination.path().first();
                if (isLost && !of.silent && direct.containsKey(first.out())) {
                    muteSwitches.lostBehind(direct.get(first.out()).first());
                }
                of.vain = isLost ? 0 : of.vain + 1;
                of.inRow = 0;
                of.returning.clear();
                of.due = now;
                of.examined = now;
                of.examination = null;
            }
        }
    }

    /** Sends by silent directions, which may return. */
    private void prove(List<Order> orders, long now) {
        watched.forEach((out, of) -> {
            ProofPath path = direct.get(out);
            of.forget(outstanding.keySet());
            if (path != null && of.silent && now >= of.due) {
                of.returning.add(order(orders, Kind.RETURN, path, 0, of.large && of.returnsLarge, now));
                of.returnsLarge = !of.returnsLarge;
                of.due = now + Trips.PERIOD;
            }
        });
    }

    private void forget(long now) {
        for (Iterator<Map.Entry<Long, Sent>> each = outstanding.entrySet().iterator(); each.hasNext();) {
            Sent sent = each.next().getValue();
            if (now - sent.at() < trips.overdue()) {
                break; // they are in the order in which they were sent
            }
            if (now - sent.at() > FORGOTTEN) {
                each.remove();
            }
        }
    }

    /** {@code begin}: how many directions are left out; then it begins in the table of the switch behind the last. */
    private long order(List<Order> orders, Kind kind, ProofPath path, int begin, boolean large, long now) {
        long id = nextId++;
        LinkDirection first = path.first();
        outstanding.put(id, new Sent(kind, now, path, begin, large));
        orders.add(new Order(id, begin > 0 ? path.switchBehind(begin) : first.out().switchName(),
            begin > 0 ? TABLE : first.outNumber(), path.mac(), path.destination(), large, kind == Kind.ACROSS));
        return id;
    }

    /** A switch has sent a packet that it was asked to confirm. */
    public void confirmed(long id) {
        Sent sent = outstanding.get(id);
        Examination examination = sent == null ? null : of(sent.path().first()).examination;
        if (examination != null && sent.at() >= examination.begin()) {
            examination.confirmed();
        }
    }

    /** A packet has arrived at its destination's edge switch. */
    public void arrived(long id, long now) {
        Sent sent = outstanding.remove(id);
        if (sent == null) {
            return;
        }
        Known first = of(sent.path().first());
        if (sent.kind() != Kind.BEHIND) {
            lastCrossed = Math.max(lastCrossed, sent.at());
        }
        switch (sent.kind()) {
            case CHAIN -> {
                if (sent.at() >= stood && now - lastTick <= STOOD) { // else it has waited for this controller
                    trips.took(now - sent.at());
                    Chain chain = chains.get(sent.path());
                    if (chain != null) {
                        chain.trips.took(now - sent.at());
                        chain.arrived = now;
                    }
                }
            }
            case ACROSS -> { } // it answers its examination, below
            case BEHIND -> {
                if (first.examination != null && sent.at() >= first.examination.begin()) {
                    first.examination.arrivedBehind(now - sent.at());
                }
            }
            case RETURN -> {
                first.returned(id);
                // one that was left meanwhile is not silent any more
                first.silent = first.silent && first.inRow < TO_RETURN;
            }
            default -> throw new IllegalStateException(sent.kind().toString());
        }
        List<LinkDirection> passed = sent.path().directions();
        passed.subList(sent.begin(), passed.size()).forEach(each -> {
            Known of = of(each);
            muteSwitches.passed(each);
            of.lastPassed = Math.max(of.lastPassed, sent.at());
            if (sent.large()) {
                of.large = true;
                of.lastLarge = Math.max(of.lastLarge, sent.at());
            }
            if (sent.at() < of.silentSince && (sent.large() || !of.silentForLarge)) {
                of.silent = false; // it was late, and not lost
            }
            if (of.examination != null && of.examination.isAnsweredBy(sent.at(), sent.large())) {
                if (sent.kind() != Kind.CHAIN) { // else what was missed was late at most: no examination in vain
                    of.vain++;
                    of.examined = now;
                }
                of.examination = null;
            }
        });
    }

    private Known of(LinkDirection direction) {
        return known.computeIfAbsent(direction.out(), out -> new Known());
    }

    /** The directions that carry no packets. */
    public SortedSet<LinkDirection> silent() {
        SortedSet<LinkDirection> silent = new TreeSet<>();
        watched.forEach((out, of) -> {
            if (of.silent && direct.containsKey(out)) {
                silent.add(direct.get(out).first());
            }
        });
        return Collections.unmodifiableSortedSet(silent);
    }

    /** The directions of chains whose packets arrive and take long: links or switches are busy. */
    public Set<LinkDirection> slow() {
        Set<LinkDirection> slow = new HashSet<>();
        chains.forEach((path, chain) -> {
            if (chain.trips.isSlow() && chain.arrived > lastTick - FORGOTTEN) {
                slow.addAll(path.directions());
            }
        });
        return slow;
    }

    /**
     * Switches that are not connected and by which no packets pass, though their links may be up: they may hold no
     * rules. None is an edge switch, as nobody but itself can report what arrives there.
     */
    public SortedSet<String> mute() {
        return mute;
    }

    /** When the newest packet was sent that has crossed a link; {@link Long#MIN_VALUE} if none has. */
    public long lastCrossed() {
        return lastCrossed;
    }
}
