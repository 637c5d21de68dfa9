package org.daqfabric.impl.runcontrol;

import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/** Numbers what happens, tells it, and remembers the newest for those who missed it. */
public final class EventLog {
    static final int REMEMBERED = 4096;

    private final String epoch;
    private final InstantSource clock;
    private final Deque<SequencedEvent> events = new ArrayDeque<>();
    private long newest;

    public EventLog(String epoch, InstantSource clock) {
        this.epoch = epoch;
        this.clock = clock;
    }

    /**
     * Numbers a happening and tells it.
     *
     * @param told hears it before the next one
     */
    synchronized void add(RunEvent happening, Consumer<SequencedEvent> told) {
        SequencedEvent event = new SequencedEvent(epoch, ++newest, clock.instant(), happening);
        events.add(event);
        if (events.size() > REMEMBERED) {
            events.remove();
        }
        told.accept(event);
    }

    /**
     * What came after an event.
     *
     * @param since its epoch; the present one if empty
     */
    public synchronized Missed after(String since, long sequence) {
        boolean same = since.isEmpty() || since.equals(epoch);
        long from = same ? sequence : 0;
        boolean complete = same && sequence <= newest && (events.isEmpty() || sequence >= events.peek().sequence() - 1);
        return new Missed(epoch, newest, complete,
            events.stream().filter(event -> event.sequence() > from).toList());
    }

    /**
     * What was missed.
     *
     * @param complete whether that is all of it
     */
    public record Missed(String epoch, long newest, boolean complete, List<SequencedEvent> events) {
    }
}
