package org.daqfabric.impl.northbound.request;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import javax.servlet.http.HttpServletResponse;

/**
 * The streams of events that users have made, and the connections that read them: OpenDaylight limits neither. It ends
 * a stream when its last reader leaves, and keeps one that was never read until it restarts. So a user, and all who may
 * change nothing together, have a share of both, and one that nobody reads is ended after a while.
 */
final class Streams {
    /** More than pages, scripts and control systems need; half of the connections that the web server has. */
    static final int ALL = 256;
    static final int OF_USER = 64;
    static final int OF_READERS = 128;
    /** Longer than any client takes to read what it has made. */
    static final Duration UNREAD = Duration.ofMinutes(1);

    private final Registered registered;
    private final LongSupplier nanos;
    private final Shares places = new Shares(ALL, OF_USER, OF_READERS);
    private final Shares connections = new Shares(ALL, OF_USER, OF_READERS);
    @GuardedBy("this")
    private final Map<String, Made> made = new LinkedHashMap<>();

    /**
     * None is made.
     *
     * @param nanos a clock that only goes on
     */
    Streams(Registered registered, LongSupplier nanos) {
        this.registered = registered;
        this.nanos = nanos;
    }

    /** The streams that OpenDaylight has. */
    interface Registered {
        boolean exists(String name);

        /** Ends a stream if nobody reads it; one that is read goes on. */
        void endUnread(String name);
    }

    /**
     * What a user asks for.
     *
     * @param what is equal for equal requests
     */
    record Asked(Shares.Owner owner, String what) {
    }

    /** What RESTCONF answered when it made the stream of a name. */
    record Answer(String name, String type, byte[] body) {
        void write(HttpServletResponse response) throws IOException {
            response.setStatus(HttpServletResponse.SC_OK);
            response.setContentType(type);
            response.setContentLength(body.length);
            response.getOutputStream().write(body);
        }
    }

    /** What comes of a request for a stream. */
    sealed interface Outcome {
        /** The same was asked for before, and nobody has begun to read that: its answer holds for this request, too. */
        record Same(Answer answer) implements Outcome {
        }

        /** It may be made. */
        record Allowed(Making making) implements Outcome {
        }

        /** There are too many. */
        record Refused(String why) implements Outcome {
        }
    }

    /** A stream that was made and may be there still. */
    private static final class Made {
        private final Asked asked;
        private final Answer answer;
        private long since;
        /** Whether somebody may read it, or it may have been ended: nobody else is given it. */
        private boolean used;
        /** Whether it has been ended if nobody read it by then. */
        private boolean tried;

        Made(Asked asked, Answer answer, long since) {
            this.asked = asked;
            this.answer = answer;
            this.since = since;
        }
    }

    /** A stream that RESTCONF is making, which has its place already. */
    final class Making {
        private final Asked asked;

        private Making(Asked asked) {
            this.asked = asked;
        }

        /** Called once, when RESTCONF has answered; empty if it made none. */
        void answered(Optional<Answer> answer) {
            synchronized (Streams.this) {
                if (answer.isPresent()) {
                    made.put(answer.get().name, new Made(asked, answer.get(), nanos.getAsLong()));
                } else {
                    places.take(asked.owner, -1);
                }
            }
        }
    }

    /** Asks for a stream. */
    synchronized Outcome ask(Asked asked) {
        forgetEnded();
        Optional<Made> same = made.values().stream().filter(each -> !each.used && each.asked.equals(asked)).findFirst();
        if (same.isPresent()) {
            same.get().since = nanos.getAsLong();
            return new Outcome.Same(same.get().answer);
        }
        return places.take(asked.owner, 1) ? new Outcome.Allowed(new Making(asked))
            : new Outcome.Refused(refusal("streams of events", places, asked.owner) + ": read those that were made, or"
                + " wait until they end, as one that nobody reads does after a minute");
    }

    /** Somebody begins to read a stream; returns why not, or nothing, and then the reading ends once. */
    Optional<String> begin(Shares.Owner owner, String name) {
        if (!connections.take(owner, 1)) {
            return Optional.of(refusal("connections that read events", connections, owner) + ": close some");
        }
        synchronized (this) {
            Made known = made.get(name);
            if (known != null) {
                known.used = true;
            }
        }
        return Optional.empty();
    }

    /** Somebody ends to read a stream. */
    void end(Shares.Owner owner) {
        connections.take(owner, -1);
    }

    /** Ends what nobody reads. */
    void endUnread() {
        List<String> names;
        synchronized (this) {
            names = List.copyOf(made.keySet());
        }
        for (String name : names) {
            if (isDue(name)) {
                registered.endUnread(name);
            }
        }
        synchronized (this) {
            forgetEnded();
        }
    }

    /** One that is still there after it was tried is read, and ends by itself: each is tried once. */
    private synchronized boolean isDue(String name) {
        Made known = made.get(name);
        if (known == null || known.tried || nanos.getAsLong() - known.since < UNREAD.toNanos()) {
            return false;
        }
        known.used = true;
        known.tried = true;
        return true;
    }

    @GuardedBy("this")
    private void forgetEnded() {
        made.values().removeIf(each -> {
            boolean ended = !registered.exists(each.answer.name);
            if (ended) {
                places.take(each.asked.owner, -1);
            }
            return ended;
        });
    }

    private static String refusal(String what, Shares shares, Shares.Owner owner) {
        return "there are too many " + what + ": user " + owner.user() + " has " + shares.taken(owner.user()) + " of "
            + OF_USER + ", all together " + shares.taken() + " of " + ALL + (owner.mayChange() ? ""
                : ", of which those who may change nothing have " + OF_READERS + " at most");
    }
}
