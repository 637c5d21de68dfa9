package org.daqfabric.impl.runcontrol;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/** Numbers events in order, hands each to its listener, and keeps the newest for subscribers that missed some. */
public final class EventLog {
    static final int CAPACITY = 4096;

    private final String epoch;
    private final InstantSource clock;
    @GuardedBy("this")
    private final Deque<SequencedEvent> events = new ArrayDeque<>();
    @GuardedBy("this")
    private long newest;

    public EventLog(String epoch, InstantSource clock) {
        this.epoch = epoch;
        this.clock = clock;
    }

    /**
     * Numbers an event and hands it on.
     *
     * @param listener gets it before the next event is numbered
     */
    synchronized void add(RunEvent content, Consumer<SequencedEvent> listener) {
        SequencedEvent event = new SequencedEvent(epoch, ++newest, clock.instant(), content);
        events.add(event);
        if (events.size() > CAPACITY) {
            events.remove();
        }
        listener.accept(event);
    }

    /**
     * The events after a given one.
     *
     * @param since the epoch of that event; the present epoch if empty
     */
    public synchronized Missed after(String since, long sequence) {
        boolean same = since.isEmpty() || since.equals(epoch);
        long from = same ? sequence : 0;
        boolean complete = same && sequence <= newest && (events.isEmpty() || sequence >= events.peek().sequence() - 1);
        return new Missed(epoch, newest, complete,
            events.stream().filter(event -> event.sequence() > from).toList());
    }

    /**
     * The events a subscriber missed.
     *
     * @param complete false if some of them are no longer kept, or belong to an earlier epoch
     */
    public record Missed(String epoch, long newest, boolean complete, List<SequencedEvent> events) {
    }
}
