package org.daqfabric.impl.controller.rollout;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.daqfabric.api.program.Message;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.state.Finding;
import org.daqfabric.impl.async.Backoff;
import org.daqfabric.impl.async.EventLoop;
import org.daqfabric.impl.controller.spi.InstalledState;
import org.daqfabric.impl.controller.spi.RuleChannel;
import org.daqfabric.impl.engine.diff.Applied;
import org.daqfabric.impl.engine.diff.Comparison;
import org.daqfabric.impl.engine.diff.Stage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings one switch to the newest program it was given, one batch of messages at a time, and drops the programs in
 * between. Lives in its fabric's event loop: all methods are called there, and so is what it calls back;
 * whoever wants to know how far it is asks after each event.
 */
public final class SwitchDriver {
    private static final Logger LOG = LoggerFactory.getLogger(SwitchDriver.class);
    private static final Backoff FIRST_RETRY = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(30));

    private final String name;
    private final long datapathId;
    private final RuleChannel channel;
    private final Loop loop;

    private boolean connected;
    private Program held;
    /** What it holds once it has what is on its way to it; null if nothing is. */
    private Program coming;
    private Program target;
    /** What is to come, of which new groups and rules are made already; null if there is nothing. */
    private Program prepared;
    /** What is held compared with what is prepared and with the target, and what is coming with the target. */
    private final DiffCache ahead = new DiffCache();
    private final DiffCache differences = new DiffCache();
    private final DiffCache later = new DiffCache();
    private long generation;
    private Stage allowed = Stage.REMOVE;
    /** The last stage with nothing left to do; null if there is none. */
    private Stage reached;
    private boolean busy;
    private boolean waiting;
    /** Counts connections, so that answers from an earlier one are told apart. */
    private long connection;
    private Backoff retry = FIRST_RETRY;
    private int messages;
    private int failed;
    private String error = "";

    /** The fabric's event loop, as its drivers see it. */
    public interface Loop extends EventLoop {
        /** Whether switches may be changed at this very moment; {@link #resume()} tells when they may be again. */
        default boolean mayChange() {
            return true;
        }
    }

    public SwitchDriver(String name, long datapathId, RuleChannel channel, Loop loop) {
        this.name = name;
        this.datapathId = datapathId;
        this.channel = channel;
        this.loop = loop;
    }

    public void connected() {
        forget(true);
        retry = FIRST_RETRY;
        step();
    }

    public void disconnected() {
        forget(false);
    }

    private void forget(boolean nowConnected) {
        connected = nowConnected;
        connection++;
        held = null;
        coming = null;
        differences.forget();
        ahead.forget();
        later.forget();
        busy = false;
        waiting = false;
        reached = null;
    }

    /**
     * Gives the switch a program to work towards.
     *
     * @param upTo the stage after which to wait for the other switches
     */
    void target(Program program, long newGeneration, Stage upTo) {
        if (!program.equals(target)) {
            reached = null;
            target = program;
        }
        generation = newGeneration;
        allowed = upTo;
        step();
    }

    /** Works out what {@link #target} is going to need; for several switches at a time. */
    void workOut(Program program, Stage upTo) {
        if (isFree() && held != null) {
            for (Stage stage : Stage.values()) {
                if (stage.compareTo(upTo) > 0 || !differences.next(held, program, stage).isEmpty()) {
                    return;
                }
            }
        }
    }

    /** Works out what {@link #prepare} is going to need; for several switches at a time. */
    void workOutAhead(Program next) {
        if (isFree() && held != null) {
            ahead.next(held, next, Stage.ADD);
        }
    }

    /** Lets the switch go on with the program it has. */
    void allow(Stage upTo) {
        allowed = upTo;
        step();
    }

    /**
     * Lets the switch have what a later program adds, which disturbs nothing, while that program must wait. Nothing is
     * removed meanwhile.
     *
     * @param next null when there is nothing to come any more
     */
    void prepare(Program next) {
        prepared = next;
        step();
    }

    /** Switches may be changed again. */
    public void resume() {
        step();
    }

    /** Whether it can be told something, and nothing is on its way. */
    private boolean isFree() {
        return connected && !busy && !waiting;
    }

    private void step() {
        if (!isFree() || target == null) {
            return;
        }
        if (held == null) {
            read();
            return;
        }
        reached = null;
        for (Stage stage : Stage.values()) {
            if (stage.compareTo(allowed) > 0 || stage == Stage.REMOVE && prepared != null) {
                break;
            }
            List<Message> next = differences.next(held, target, stage);
            if (!next.isEmpty()) {
                send(next);
                return;
            }
            reached = stage;
        }
        if (prepared != null) {
            List<Message> additions = ahead.next(held, prepared, Stage.ADD);
            if (!additions.isEmpty()) {
                send(additions);
                return;
            }
        } else if (reached == Stage.REMOVE) {
            // the same in content; being the same object too, it need not be compared again
            held = target;
            differences.forget();
            ahead.forget();
        }
        error = "";
        retry = FIRST_RETRY;
    }

    private void read() {
        busy = true;
        long asked = connection;
        loop.then(channel.read(datapathId), (answer, failure) -> {
            if (asked != connection) {
                return;
            }
            busy = false;
            if (failure != null) {
                backOff("its rules could not be read: " + failure.getMessage());
                return;
            }
            held = answer.ours();
            step();
        });
    }

    /** What a comparison led to. */
    public sealed interface Compared {
        /** What was found, as of a switch of that name. */
        default List<Finding> findings(String name) {
            return switch (this) {
                case Read read -> read.findings();
                case NotNow unused -> List.of();
                case Unreadable unreadable -> List.of(
                    new Finding(name, Finding.Kind.RULE, Finding.What.UNREADABLE, "", unreadable.why()));
            };
        }

        /** The switch was read. */
        record Read(List<Finding> findings, InstalledState held) implements Compared {
        }

        /** Changes were under way. */
        record NotNow() implements Compared {
        }

        /** The switch could not be read. */
        record Unreadable(String why) implements Compared {
        }
    }

    /**
     * Compares what the switch holds with its program; holds up nothing meanwhile.
     *
     * @param mend whether to put right what differs
     */
    public void compare(boolean mend, Consumer<Compared> done) {
        if (!connected) {
            done.accept(new Compared.Unreadable("it is not connected over OpenFlow"));
            return;
        }
        if (busy || waiting || held == null || reached != allowed || allowed == Stage.ADD) {
            done.accept(error.isEmpty() ? new Compared.NotNow() : new Compared.Unreadable(error));
            return;
        }
        long asked = connection;
        int sent = messages;
        Program wanted = target;
        // what is to be removed may have to wait for other switches
        Program expected = allowed == Stage.REMOVE ? target : held;
        loop.then(channel.read(datapathId), (answer, failure) -> {
            if (asked != connection) {
                done.accept(new Compared.Unreadable("it reconnected meanwhile"));
            } else if (sent != messages || wanted != target) {
                done.accept(new Compared.NotNow());
            } else if (failure != null) {
                done.accept(new Compared.Unreadable("its rules could not be read: " + failure.getMessage()));
            } else {
                List<Finding> findings = Comparison.of(name, expected, answer.ours());
                if (mend && !findings.isEmpty()) {
                    LOG.warn("{}: {} differences from its program, put right; the first: {}", name, findings.size(),
                        findings.get(0));
                    held = answer.ours();
                    reached = null;
                    step();
                }
                done.accept(new Compared.Read(findings, answer));
            }
        });
    }

    private void send(List<Message> batch) {
        if (!loop.mayChange()) {
            error = "this controller cannot reach the others and changes nothing";
            return;
        }
        LOG.debug("{}: sending {} messages of generation {}", name, batch.size(), generation);
        busy = true;
        coming = Applied.to(held, batch);
        messages += batch.size();
        long asked = connection;
        loop.then(channel.send(datapathId, batch), (refusals, failure) -> {
            failed += failure != null ? batch.size() : refusals.size();
            if (asked != connection) {
                return;
            }
            busy = false;
            held = coming;
            coming = null;
            differences.take(later);
            if (failure == null && refusals.isEmpty()) {
                LOG.debug("{}: confirmed {} messages", name, batch.size());
                step();
                return;
            }
            // what the switch holds now is not known for sure
            held = null;
            reached = null;
            backOff(failure != null ? "it did not answer: " + failure.getMessage()
                : "it refused " + refusals.size() + " of " + batch.size() + " changes, the first: "
                    + refusals.get(0).error() + " for " + refusals.get(0).message());
        });
    }

    private void backOff(String why) {
        error = why;
        LOG.warn("{}: {}; trying again in {} ms", name, why, retry.pause().toMillis());
        waiting = true;
        long failed = connection;
        loop.after(retry.pause(), () -> {
            if (failed == connection) {
                waiting = false;
                step();
            }
        });
        retry = retry.doubled();
    }

    public boolean isConnected() {
        return connected;
    }

    /** Whether the switch confirmed all of a stage of its program, and of those before. */
    public boolean isThrough(Stage stage) {
        return connected && (reached != null && reached.compareTo(stage) >= 0
            // changes that are under way do not keep others waiting for what is there already, and stays
            || stage == Stage.ADD && lacksNothing(held, differences)
                && (coming == null || lacksNothing(coming, later)));
    }

    private boolean lacksNothing(Program program, DiffCache compared) {
        return program != null && target != null && compared.next(program, target, Stage.ADD).isEmpty();
    }

    public long generation() {
        return generation;
    }

    public int rules() {
        return held == null ? 0 : held.rules().size();
    }

    public int groups() {
        return held == null ? 0 : held.groups().size();
    }

    /** Messages sent since the controller started. */
    int messages() {
        return messages;
    }

    /** Those of them that the switch refused or did not answer. */
    int failed() {
        return failed;
    }

    /** What keeps the switch from its program; empty if nothing does. */
    public String error() {
        return error;
    }
}
