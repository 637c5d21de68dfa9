package org.daqfabric.impl.openflow;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import org.eclipse.jdt.annotation.Nullable;

/**
 * The connections of every switch, of which one is used and the others stand by, and who may be a switch. A datapath-id
 * is no secret, so a peer that claims one proves it by the serial number that the controller has set on the bridge over
 * OVSDB. Where no serial number is known, the first peer keeps the datapath-id as long as it answers. Thread-safe.
 */
final class SwitchWays {
    /** Connections of one switch at a time: one for each address of the controller that it is told. */
    static final int MAX_WAYS = 4;
    /** Times that a switch may answer with another serial number: its ovs-vswitchd takes it up after the database. */
    private static final int CHANCES = 3;
    private static final String NO_SERIAL =
        "it does not have the serial number that the controller set on the switch's bridge";

    private final Map<Long, SwitchSession> used = new ConcurrentHashMap<>();
    /** By datapath-id, the one in use first. */
    @GuardedBy("this")
    private final Map<Long, List<Known>> ways = new HashMap<>();
    private final LongFunction<Optional<String>> serials;
    private final Claims claims;

    /** A way and what is known of it. */
    private static final class Known {
        private final SwitchWay way;
        private String serial;
        private int chances = CHANCES;

        Known(final SwitchWay way) {
            this.way = way;
            serial = way.serial();
        }

        /** Whether the serial number is known, and is this one's. */
        synchronized boolean isProven(final Optional<String> known) {
            return known.filter(serial::equals).isPresent();
        }

        /** It has answered again; false if it has had all its chances. */
        synchronized boolean answered(final String answer, final String known) {
            serial = answer;
            return answer.equals(known) || --chances > 0;
        }
    }

    /**
     * Has no connections yet.
     *
     * @param serials the serial number of the bridge with a datapath-id; empty as long as its node has not told it
     * @param claims told of everyone who is turned away
     */
    SwitchWays(final LongFunction<Optional<String>> serials, final Claims claims) {
        this.serials = serials;
        this.claims = claims;
    }

    /** The session in use; null if the switch is not connected. */
    @Nullable SwitchSession used(final long datapathId) {
        return used.get(datapathId);
    }

    /** The connections in use, by datapath-id. */
    synchronized Map<Long, SwitchWay> inUse() {
        return ways.entrySet().stream()
            .collect(Collectors.toMap(Map.Entry::getKey, each -> each.getValue().get(0).way));
    }

    /** Whether a connection was accepted as one of its switch. */
    synchronized boolean isKept(final SwitchSession session) {
        return ways.getOrDefault(session.datapathId(), List.of()).stream()
            .anyMatch(each -> each.way.session() == session);
    }

    /** A switch has said who it is. */
    void offer(final SwitchWay fresh) {
        final long datapathId = fresh.session().datapathId();
        final var serial = serials.apply(datapathId);
        final var candidate = new Known(fresh);
        final Known keeper;
        synchronized (this) {
            keeper = first(datapathId);
            if ((serial.isEmpty() || candidate.isProven(serial)) && keeper == null) {
                use(candidate);
                return;
            }
        }
        if (serial.isPresent() && !candidate.isProven(serial)) {
            turnAway(fresh, keeper == null ? null : keeper.way, NO_SERIAL);
        } else {
            keeper.way.isAlive().thenAccept(alive -> decide(candidate, keeper, alive));
        }
    }

    private void decide(final Known candidate, final Known keeper, final boolean alive) {
        if (!alive) {
            keeper.way.end("it is silent, and the switch has connected anew");
        }
        final var fresh = candidate.way;
        final long datapathId = fresh.session().datapathId();
        final String why;
        synchronized (this) {
            final var current = ways.getOrDefault(datapathId, List.of());
            if (current.isEmpty()) {
                use(candidate);
                return;
            }
            final boolean proven = candidate.isProven(serials.apply(datapathId));
            if (proven && current.size() < MAX_WAYS && !fresh.session().isClosed()) {
                current.add(candidate);
                return;
            }
            why = proven ? "the switch has " + current.size() + " connections already"
                : "another one has its datapath-id and answers";
        }
        turnAway(fresh, keeper.way, why);
    }

    private void turnAway(final SwitchWay fresh, final @Nullable SwitchWay keeper, final String why) {
        if (!fresh.session().isClosed()) {
            claims.add(fresh.session().datapathId(), fresh.address(), keeper == null ? "" : keeper.address(), why);
            fresh.turnAway(why);
        }
    }

    /** A connection has ended: another one of its switch is used, if there is one. */
    void ended(final SwitchSession session) {
        synchronized (this) {
            final var left = ways.get(session.datapathId());
            if (left == null || !left.removeIf(each -> each.way.session() == session)) {
                return;
            }
            if (left.isEmpty()) {
                ways.remove(session.datapathId());
            }
            if (used.remove(session.datapathId(), session) && !left.isEmpty()) {
                open(left.get(0));
            }
        }
    }

    /** Asks those again whose serial number is not, or not yet, the one of their bridge; called every second. */
    void check() {
        final List<Known> all;
        synchronized (this) {
            all = ways.values().stream().flatMap(List::stream).toList();
        }
        for (var each : all) {
            final var serial = serials.apply(each.way.session().datapathId());
            if (serial.isPresent() && !each.isProven(serial)) {
                each.way.askSerial().thenAccept(answer -> {
                    if (!each.answered(answer, serial.orElseThrow())) {
                        turnAway(each.way, null, NO_SERIAL);
                    }
                });
            }
        }
    }

    @GuardedBy("this")
    private @Nullable Known first(final long datapathId) {
        final var all = ways.get(datapathId);
        return all == null ? null : all.get(0);
    }

    @GuardedBy("this")
    private void use(final Known candidate) {
        if (!candidate.way.session().isClosed()) {
            ways.computeIfAbsent(candidate.way.session().datapathId(), id -> new ArrayList<>(1)).add(candidate);
            open(candidate);
        }
    }

    private void open(final Known way) {
        used.put(way.way.session().datapathId(), way.way.session());
        way.way.session().open(way.way.ports());
    }
}
