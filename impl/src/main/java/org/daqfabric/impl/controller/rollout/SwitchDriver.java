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
import org.daqfabric.impl.engine.diff.ForeignRules;
import org.daqfabric.impl.engine.diff.ForeignRules.Foreign;
import org.daqfabric.impl.engine.diff.Stage;
import org.eclipse.jdt.annotation.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings one switch from its installed program to the desired one, one batch of messages at a time; programs that a
 * newer one replaces meanwhile are dropped. Belongs to its fabric's event loop: all methods and callbacks run there.
 * The loop queries the progress after each event.
 */
public final class SwitchDriver {
    private static final Logger LOG = LoggerFactory.getLogger(SwitchDriver.class);
    private static final Backoff FIRST_RETRY = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(30));

    private final String name;
    private final long datapathId;
    private final RuleChannel channel;
    private final Loop loop;

    private boolean connected;
    /** What the switch has confirmed; null until it has been read, and after a doubtful answer. */
    private @Nullable Program installed;
    /** What will be installed when the batch in flight is confirmed; null if none is in flight. */
    private @Nullable Program inFlight;
    /** Null until the first program is assigned. */
    private @Nullable Program desired;
    /** A later program, whose new groups and rules are installed ahead of it; null if there is none. */
    private @Nullable Program prepared;
    private final DiffCache toPrepared = new DiffCache();
    private final DiffCache toDesired = new DiffCache();
    private final DiffCache inFlightToDesired = new DiffCache();
    private long generation;
    private Stage allowed = Stage.REMOVE;
    /** The last stage that is finished; null if none is. */
    private @Nullable Stage reached;
    private boolean busy;
    private boolean waiting;
    /** Number of the connection; answers of an earlier one are ignored. */
    private long connection;
    private Backoff retry = FIRST_RETRY;
    private int messages;
    private int failed;
    /** Rules of other programs, as last read. */
    private List<Foreign> others = List.of();
    private String error = "";

    /** The fabric's event loop, as its drivers see it. */
    public interface Loop extends EventLoop {
        /** Whether switches may be changed at this moment; {@link #resume()} is called when they may be again. */
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

    /** The datapath-id of the switch it drives. */
    public long datapathId() {
        return datapathId;
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
        installed = null;
        inFlight = null;
        toDesired.forget();
        toPrepared.forget();
        inFlightToDesired.forget();
        busy = false;
        waiting = false;
        reached = null;
    }

    /**
     * Gives the switch a program to work towards.
     *
     * @param upTo the stage after which to wait for the other switches
     */
    void desire(Program program, long newGeneration, Stage upTo) {
        if (!program.equals(desired)) {
            reached = null;
        }
        desired = program; // of two that are equal the newer one knows which ports are unusable
        generation = newGeneration;
        allowed = upTo;
        step();
    }

    /** Computes the differences that {@link #desire} will need; may run for several switches at the same time. */
    void workOut(Program program, Stage upTo) {
        if (isFree() && installed != null) {
            for (Stage stage : Stage.values()) {
                if (stage.compareTo(upTo) > 0 || !toDesired.next(installed, program, stage).isEmpty()) {
                    return;
                }
            }
        }
    }

    /** Computes the differences that {@link #prepare} will need; may run for several switches at the same time. */
    void workOutAhead(Program next) {
        if (isFree() && installed != null) {
            toPrepared.next(installed, next, Stage.ADD);
        }
    }

    /** Lets the switch continue with the program it has. */
    void allow(Stage upTo) {
        allowed = upTo;
        step();
    }

    /**
     * Installs ahead what a later program adds, which disturbs nothing, while that program must wait. Nothing is
     * removed meanwhile.
     *
     * @param next null if there is no later program any more
     */
    void prepare(@Nullable Program next) {
        prepared = next;
        step();
    }

    /** Switches may be changed again. */
    public void resume() {
        step();
    }

    /** Whether it is connected and no batch, read or pause is pending. */
    private boolean isFree() {
        return connected && !busy && !waiting;
    }

    private void step() {
        if (!isFree() || desired == null) {
            return;
        }
        if (installed == null) {
            read();
            return;
        }
        reached = null;
        for (Stage stage : Stage.values()) {
            if (stage.compareTo(allowed) > 0 || stage == Stage.REMOVE && prepared != null) {
                break;
            }
            List<Message> next = toDesired.next(installed, desired, stage);
            if (!next.isEmpty()) {
                send(next);
                return;
            }
            reached = stage;
        }
        if (prepared != null) {
            List<Message> additions = toPrepared.next(installed, prepared, Stage.ADD);
            if (!additions.isEmpty()) {
                send(additions);
                return;
            }
        } else if (reached == Stage.REMOVE) {
            // equal in content; as the same object it need not be compared again
            installed = desired;
            toDesired.forget();
            toPrepared.forget();
        }
        error = "";
        retry = FIRST_RETRY;
    }

    private void read() {
        busy = true;
        long askedOn = connection;
        loop.then(channel.read(datapathId), (answer, failure) -> {
            if (askedOn != connection) {
                return;
            }
            busy = false;
            if (failure != null) {
                backOff("its rules could not be read: " + failure.getMessage());
                return;
            }
            others = answer.others();
            installed = answer.ours();
            step();
        });
    }

    /** Result of a comparison. */
    public sealed interface Compared {
        /** The findings, under the switch's name. */
        default List<Finding> findings(String name) {
            return switch (this) {
                case Read read -> read.findings();
                case NotNow unused -> List.of();
                case Unreadable unreadable -> List.of(
                    new Finding(name, Finding.Kind.RULE, Finding.What.UNREADABLE, "", unreadable.why()));
            };
        }

        /** The switch was read. */
        record Read(List<Finding> findings, InstalledState installed) implements Compared {
        }

        /** The switch was being changed. */
        record NotNow() implements Compared {
        }

        /** The switch could not be read. */
        record Unreadable(String why) implements Compared {
        }
    }

    /**
     * Reads the switch and compares it with its program; nothing waits for this.
     *
     * @param correct whether to correct what differs
     */
    public void compare(boolean correct, Consumer<Compared> done) {
        if (!connected) {
            done.accept(new Compared.Unreadable("it is not connected over OpenFlow"));
            return;
        }
        if (busy || waiting || installed == null || reached != allowed || allowed == Stage.ADD) {
            done.accept(error.isEmpty() ? new Compared.NotNow() : new Compared.Unreadable(error));
            return;
        }
        long askedOn = connection;
        int sent = messages;
        Program desiredThen = desired;
        // removals may have to wait for other switches
        Program expected = allowed == Stage.REMOVE ? desired : installed;
        loop.then(channel.read(datapathId), (answer, failure) -> {
            if (askedOn != connection) {
                done.accept(new Compared.Unreadable("it reconnected meanwhile"));
            } else if (sent != messages || desiredThen != desired) {
                done.accept(new Compared.NotNow());
            } else if (failure != null) {
                done.accept(new Compared.Unreadable("its rules could not be read: " + failure.getMessage()));
            } else {
                others = answer.others();
                List<Finding> findings = Comparison.of(name, expected, answer.ours());
                if (correct && !findings.isEmpty()) {
                    LOG.warn("{}: {} differences from its program, corrected; the first: {}", name, findings.size(),
                        findings.get(0));
                    installed = answer.ours();
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
        inFlight = Applied.to(installed, batch);
        messages += batch.size();
        long askedOn = connection;
        loop.then(channel.send(datapathId, batch), (refusals, failure) -> {
            failed += failure != null ? batch.size() : refusals.size();
            if (askedOn != connection) {
                return;
            }
            busy = false;
            installed = inFlight;
            inFlight = null;
            toDesired.take(inFlightToDesired);
            if (failure == null && refusals.isEmpty()) {
                LOG.debug("{}: confirmed {} messages", name, batch.size());
                step();
                return;
            }
            // it is unknown what is installed now
            installed = null;
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
        long before = connection;
        loop.after(retry.pause(), () -> {
            if (before == connection) {
                waiting = false;
                step();
            }
        });
        retry = retry.doubled();
    }

    public boolean isConnected() {
        return connected;
    }

    /** Whether the switch has confirmed a stage of its program and all stages before it. */
    public boolean hasFinished(Stage stage) {
        return connected && (reached != null && reached.compareTo(stage) >= 0
            // a change in flight does not delay others if all additions are installed already and stay
            || stage == Stage.ADD && addsNothing(installed, toDesired)
                && (inFlight == null || addsNothing(inFlight, inFlightToDesired)));
    }

    /** Whether its program does not need all that it has. */
    boolean removesSomething() {
        return installed != null && desired != null && !toDesired.next(installed, desired, Stage.REMOVE).isEmpty();
    }

    private boolean addsNothing(Program program, DiffCache compared) {
        return program != null && desired != null && compared.next(program, desired, Stage.ADD).isEmpty();
    }

    public long generation() {
        return generation;
    }

    public int rules() {
        return installed == null ? 0 : installed.rules().size();
    }

    public int groups() {
        return installed == null ? 0 : installed.groups().size();
    }

    /** Messages sent since the controller started. */
    int messages() {
        return messages;
    }

    /** Messages that the switch refused or did not answer. */
    int failed() {
        return failed;
    }

    /** What to say of rules of other programs that take packets of ours. */
    public List<String> takers(String bridge) {
        return others.isEmpty() || desired == null ? List.of() : ForeignRules.takers(desired, others, bridge);
    }

    /** Why the switch does not have its program; empty if nothing is wrong. */
    public String error() {
        return error;
    }
}
