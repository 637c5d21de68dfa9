package org.daqfabric.impl.engine.proof;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.daqfabric.api.spec.Address;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Topology;
import org.eclipse.jdt.annotation.Nullable;

/**
 * Proves every pair of a ROS and a DCM in turn, both ways: chains prove links, but a rule that one address lacks is met
 * only by packets to that address. A packet that does not arrive is sent again; what a full daqring drops for a moment
 * is not missed. Not thread-safe; times are monotonic, in ns.
 */
public final class PairTurn {
    private static final long SECOND = 1_000_000_000;
    private static final long NEVER = Long.MIN_VALUE;
    /** Packets a second: as many as prove all pairs in four minutes, within these. */
    private static final int LEAST_RATE = 10;
    private static final int MOST_RATE = 200;
    private static final int ROUND_SECONDS = 240;
    /** Packets at once after a pause: more than there are in one of {@link #BURSTS}, so that none is left out. */
    private static final int BURST = 32;
    /** How many times a second packets are sent at most: to write, and to read, several costs little more than one. */
    private static final int BURSTS = 10;
    static final long OVERDUE = SECOND;
    /** How often a packet is sent before its pair is missed. */
    static final int TRIES = 5;
    /** When a pair that is missed is tried again. */
    private static final long AGAIN = 5 * SECOND;
    private static final int MOST_AGAIN_RATE = 100;
    /** How often ages are reported that only grow younger. */
    private static final long REPORT = 60 * SECOND;
    /** How long this controller may stand still before that counts. */
    private static final long STOOD = SECOND / 10;

    /** After how many ns a proof is too old; 0 for never. */
    private final long mostAge;
    private final Map<Long, Sent> outstanding = new LinkedHashMap<>();
    /** Those that take another path since they were proven: they come first. */
    private final Set<Way> moved = new LinkedHashSet<>();
    /** Those of which a packet was missed, and those that are missed, in the order of their next try. */
    private final Deque<Way> retried = new ArrayDeque<>();
    private final Deque<Way> missed = new ArrayDeque<>();
    private @Nullable Topology topology;
    private List<Way> ways = List.of();
    private int next;
    private boolean large;
    /** Every pair had its turn. */
    private boolean wholeRound;
    private double credit;
    private double creditAgain;
    private long nextId = -1;
    private long lastTick = NEVER;
    /** When the newest packet was sent that has arrived, of any pair or by a link. */
    private long lastArrived = NEVER;
    private long looked = NEVER;
    private long reported = NEVER;
    /** When those that have moved are proven, or missed. */
    private long reportDue = Long.MAX_VALUE;
    private final Silence silence = new Silence();
    private OptionalLong reportedSilence = OptionalLong.empty();
    private int lost;
    private int reportedLost;
    private int reportedOld;

    private record Sent(Way way, long at, boolean large) {
    }

    /** A pair and what is known of it. */
    private static final class Way {
        private final Pair pair;
        /** Since when it takes its path, as far as is known. */
        private long begun;
        /** When the newest packet was sent that has arrived. */
        private long last = NEVER;
        /** Packets in a row that were missed. */
        private int tries;
        private boolean isMissed;
        /** It takes another path since it was proven, and has not been missed there. */
        private boolean isMoved;
        /** Large packets have passed: only then their absence has a meaning, for hosts may send none. */
        private boolean large;
        private long due;

        Way(Pair pair, long begun) {
            this.pair = pair;
            this.begun = begun;
        }
    }

    /**
     * What is known of all pairs.
     *
     * @param since by DCM, when the oldest of the newest proofs of its pairs was sent; a DCM is absent if a pair of it
     *     was never proven, or not since it moved
     * @param missed pairs of which packets do not arrive
     * @param old pairs whose proof is too old
     * @param silence since when no packet of any pair has arrived; empty if some do, or none could be sent
     */
    public record Known(Topology topology, Map<String, Long> since, List<Pair> missed, List<Pair> old,
            OptionalLong silence) {
    }

    /** Proves nothing yet. */
    public PairTurn(long mostAge) {
        this.mostAge = mostAge;
    }

    /** From now on the pairs of this fabric are proven; what is known of them stays. */
    public void follow(Topology now, long at) {
        if (now == topology) {
            return;
        }
        topology = now;
        Map<Pair, Way> before = new HashMap<>();
        ways.forEach(each -> before.put(each.pair, each));
        ways = Pair.of(now).stream().map(pair -> {
            Way way = before.get(pair);
            return way == null ? new Way(pair, at) : way;
        }).toList();
        outstanding.clear();
        retried.clear();
        missed.clear();
        ways.stream().filter(each -> each.isMissed).forEach(missed::add);
        moved.clear();
        ways.stream().filter(each -> each.isMoved).forEach(moved::add);
        lost = missed.size();
        next = 0;
        wholeRound = false;
    }

    /** Packets to these addresses take another path from now on: what was proven says nothing of it. */
    public void moved(Set<Address> addresses, long at) {
        if (addresses.isEmpty()) {
            return; // most plans; pairs are many
        }
        for (Way way : ways) {
            if (addresses.contains(way.pair.to().address())) {
                takesAnotherPath(way, at);
            }
        }
        outstanding.values().removeIf(sent -> addresses.contains(sent.way().pair.to().address())
            && !sent.way().isMissed);
    }

    private void takesAnotherPath(Way way, long at) {
        way.last = NEVER;
        way.begun = at;
        way.tries = 0;
        if (!way.isMissed) {
            way.isMoved = true;
            moved.add(way);
        }
    }

    /** Packets take other rules or links from now on: pairs that are missed are tried again at once. */
    public void again(long at) {
        missed.forEach(each -> each.due = at);
    }

    /** These pairs have a path again: that they were missed says nothing of it. */
    public void returned(Set<Pair> pairs, long at) {
        if (pairs.isEmpty()) {
            return;
        }
        Set<Way> back = missed().filter(each -> pairs.contains(each.pair)).collect(Collectors.toSet());
        missed.removeAll(back);
        back.forEach(way -> {
            way.isMissed = false;
            lost--;
            takesAnotherPath(way, at);
        });
        outstanding.values().removeIf(sent -> pairs.contains(sent.way().pair));
    }

    private Stream<Way> missed() {
        return lost == 0 ? Stream.empty() : ways.stream().filter(each -> each.isMissed);
    }

    /** The packets to be sent now. */
    public List<Prover.Order> tick(long now) {
        long elapsed = lastTick == NEVER ? 0 : now - lastTick;
        lastTick = now;
        if (elapsed > STOOD) {
            // what arrived meanwhile waits, and is counted after this
            outstanding.replaceAll((id, sent) -> new Sent(sent.way(), sent.at() + elapsed, sent.large()));
        }
        miss(now);
        double rate = Math.clamp((double) ways.size() / ROUND_SECONDS, LEAST_RATE, MOST_RATE);
        credit = Math.min(BURST, credit + rate * elapsed / SECOND);
        creditAgain = Math.min(BURST, creditAgain + (double) MOST_AGAIN_RATE * elapsed / SECOND);
        List<Prover.Order> orders = new ArrayList<>();
        while (creditAgain >= 1 && !missed.isEmpty() && missed.peek().due <= now) {
            creditAgain--;
            orders.add(order(missed.remove(), false, now));
        }
        for (; creditAgain >= 1 && !moved.isEmpty(); creditAgain--) {
            orders.add(orderMoved(now));
        }
        for (; credit >= 1 && !moved.isEmpty(); credit--) {
            orders.add(orderMoved(now));
        }
        if (credit >= Math.clamp(rate / BURSTS, 1, BURST)) {
            takeTurns(orders, now);
        }
        return orders;
    }

    private void takeTurns(List<Prover.Order> orders, long now) {
        for (; credit >= 1 && !ways.isEmpty(); credit--) {
            Way way = retried.isEmpty() ? ways.get(next) : retried.remove();
            if (way == ways.get(next)) {
                next = (next + 1) % ways.size();
                wholeRound |= next == 0;
                large ^= next == 0;
            }
            if (!way.isMissed) {
                orders.add(order(way, large, now));
            }
        }
    }

    private Prover.Order orderMoved(long now) {
        Way way = moved.iterator().next();
        moved.remove(way);
        reportDue = now + OVERDUE;
        return order(way, false, now);
    }

    private Prover.Order order(Way way, boolean isLarge, long now) {
        long id = nextId--;
        outstanding.put(id, new Sent(way, now, isLarge));
        return new Prover.Order(id, way.pair.from(), Prover.TABLE, topology.mac(way.pair.from()),
            way.pair.to().address(), isLarge, false);
    }

    private void miss(long now) {
        for (Iterator<Sent> each = outstanding.values().iterator(); each.hasNext();) {
            Sent sent = each.next();
            if (now - sent.at() < OVERDUE) {
                return; // they are in the order in which they were sent
            }
            each.remove();
            Way way = sent.way();
            boolean nothingArrives = lastArrived < sent.at();
            if (nothingArrives) {
                silence.missed(sent.at(), now);
            }
            if (way.isMissed) {
                again(way, now);
            } else if (nothingArrives) {
                retried.add(way); // that says nothing of this pair
            } else if (way.last < sent.at() && (!sent.large() || way.large)) {
                way.tries++;
                if (way.tries < TRIES) {
                    retried.add(way);
                } else {
                    way.isMissed = true;
                    way.isMoved = false;
                    lost++;
                    again(way, now);
                }
            }
        }
    }

    private void again(Way way, long now) {
        way.due = now + AGAIN;
        missed.add(way);
    }

    /** A packet of no pair that was sent then has crossed a link: where pairs are missed, that is no silence of all. */
    public void crossed(long at) {
        if (at > lastArrived) {
            lastArrived = at;
            silence.ended();
        }
    }

    /** A packet has arrived at the edge switch of its destination. */
    public void arrived(long id) {
        Sent sent = outstanding.remove(id);
        if (sent != null) {
            Way way = sent.way();
            lastArrived = Math.max(lastArrived, sent.at());
            silence.ended();
            if (sent.at() < way.begun) { // it took another path
                if (way.isMissed) {
                    again(way, sent.at());
                }
                return;
            }
            way.last = Math.max(way.last, sent.at());
            if (way.isMoved) {
                way.isMoved = false;
                reportDue = Math.min(reportDue, sent.at() + 2 * OVERDUE);
            }
            way.large |= sent.large();
            way.tries = 0;
            if (way.isMissed) {
                way.isMissed = false;
                lost--;
            }
        }
    }

    /** A packet could not be sent, or could not be reported by the switch where it would arrive. */
    public void withdrawn(long id) {
        Sent sent = outstanding.remove(id);
        if (sent != null && (sent.way().isMissed || sent.way().isMoved)) {
            again(sent.way(), sent.at());
        }
    }

    /** What is known, if it is news. */
    public Optional<Known> news(long now) {
        if (topology == null || looked != NEVER && now - looked < SECOND) {
            return Optional.empty();
        }
        looked = now;
        // there may be hundreds of thousands, which is too many to look at each second for nothing
        List<Pair> old = mostAge == 0 ? List.of() : ways.stream()
            .filter(each -> now - Math.max(each.last, each.begun) > mostAge).map(each -> each.pair).toList();
        boolean isDue = reported == NEVER ? wholeRound : now - reported >= REPORT || now >= reportDue;
        OptionalLong silent = silence.since(now);
        if (!isDue && lost == reportedLost && old.size() == reportedOld && silent.equals(reportedSilence)) {
            return Optional.empty();
        }
        Map<String, Long> since = since(topology);
        if (reported == NEVER && since.isEmpty() && lost == 0 && old.isEmpty() && silent.isEmpty()) {
            return Optional.empty(); // there is nothing to report yet
        }
        reported = now;
        reportDue = Long.MAX_VALUE;
        reportedLost = lost;
        reportedOld = old.size();
        reportedSilence = silent;
        return Optional.of(new Known(topology, since,
            missed().map(each -> each.pair).toList(), old, silent));
    }

    /** As {@link Known#since}; of what an edge switch sends it is that of all its DCMs. */
    private Map<String, Long> since(Topology of) {
        Map<String, Long> since = new HashMap<>();
        Map<String, Long> byEdge = new HashMap<>();
        for (Way way : ways) {
            Pair pair = way.pair;
            if (pair.to().isDcm()) {
                since.merge(pair.to().name(), way.last, Math::min);
            } else {
                byEdge.merge(pair.from(), way.last, Math::min);
            }
        }
        byEdge.forEach((edge, last) -> of.edges().get(edge).stream().filter(Endpoint::isDcm)
            .forEach(dcm -> since.merge(dcm.name(), last, Math::min)));
        since.values().removeIf(each -> each == NEVER);
        return since;
    }
}
