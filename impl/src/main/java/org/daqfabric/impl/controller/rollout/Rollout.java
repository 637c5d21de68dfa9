package org.daqfabric.impl.controller.rollout;

import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.daqfabric.api.program.Program;
import org.daqfabric.impl.async.Parallel;
import org.daqfabric.impl.controller.spi.Recorder;
import org.daqfabric.impl.engine.diff.Stage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings all switches to their newest programs, step by step: none begins one before all are through the last. What
 * changes is changed inside the fabric first and then at its edge, where that matters: a leaf that had no way on must
 * have one before anybody sends to it.
 */
public final class Rollout {
    private static final Logger LOG = LoggerFactory.getLogger(Rollout.class);

    private enum Step { ADD, CHANGE_INSIDE, CHANGE_EDGE, REMOVE }

    private final SortedMap<String, SwitchDriver> drivers = new TreeMap<>();
    private SortedMap<String, Program> programs = new TreeMap<>();
    /** The switches that change after the others. */
    private Set<String> edge = Set.of();
    /** Switches that are not waited for any longer in this step. */
    private Set<String> late = Set.of();
    /** Switches that send nothing to anybody, as their neighbours see. */
    private Set<String> cutOff = Set.of();
    private long generation;
    private Step step = Step.REMOVE;

    /** The drivers by switch. */
    public SortedMap<String, SwitchDriver> drivers() {
        return drivers;
    }

    public SortedMap<String, Program> programs() {
        return programs;
    }

    /** Counts the sets of programs. */
    public long generation() {
        return generation;
    }

    /**
     * Gives every switch its program.
     *
     * @param edgeSwitches those with hosts behind them that must wait for the others to change; empty if none need to
     * @return false if all have it already
     */
    public boolean begin(SortedMap<String, Program> next, Set<String> edgeSwitches) {
        if (next.equals(programs)) {
            return false;
        }
        programs = next;
        edge = edgeSwitches;
        generation++;
        target(Step.ADD);
        return true;
    }

    /** Has every switch make what later programs add; without programs, takes that back. */
    public void prepare(Map<String, Program> next) {
        Parallel.each(next.entrySet(), each -> drivers.get(each.getKey()).workOutAhead(each.getValue()));
        drivers.forEach((switchName, driver) -> driver.prepare(next.get(switchName)));
    }

    /** Names the switches that send nothing to anybody, as their neighbours see: none is waited for. */
    public void cutOff(Set<String> names) {
        cutOff = names;
    }

    /**
     * Begins the next step where all connected switches are through the one before.
     *
     * @param mayRemove asked only when it matters; false while newer programs are in the making, which may count on what
     *     these do not need
     */
    public void advance(BooleanSupplier mayRemove) {
        if (step == Step.ADD && keepWaiting().isEmpty()) {
            target(Step.CHANGE_INSIDE);
        }
        if (step == Step.CHANGE_INSIDE && keepWaiting().isEmpty()) {
            target(Step.CHANGE_EDGE);
        }
        if (step == Step.CHANGE_EDGE && isThrough(Stage.CHANGE) && mayRemove.getAsBoolean()) {
            target(Step.REMOVE);
        }
    }

    /**
     * Lets changes go on without those who keep the others waiting, if that is where a set of programs is.
     *
     * @param upTo with what they are late at most
     * @return the switches that are not waited for any longer
     */
    public Set<String> hurry(long of, Stage upTo) {
        Set<String> given = generation == of && upTo(step, false).compareTo(upTo) <= 0 ? keepWaiting() : Set.of();
        Set<String> all = new TreeSet<>(late);
        all.addAll(given);
        late = all;
        return given;
    }

    /** Whether the switches at the edge may not change yet, if that is where a set of programs is. */
    public boolean holdsUpEdge(long of) {
        return generation == of && step.compareTo(Step.CHANGE_EDGE) < 0;
    }

    /** The switches that others wait for before they change. */
    private Set<String> keepWaiting() {
        Set<String> awaited = new TreeSet<>();
        if (step == Step.ADD || step == Step.CHANGE_INSIDE) {
            Stage done = step == Step.ADD ? Stage.ADD : Stage.CHANGE;
            drivers.forEach((switchName, driver) -> {
                if (driver.isConnected() && !driver.isThrough(done) && !late.contains(switchName)
                        && !cutOff.contains(switchName) && (step == Step.ADD || !edge.contains(switchName))) {
                    awaited.add(switchName);
                }
            });
        }
        return awaited;
    }

    /** Whether all connected switches confirmed a stage of the newest programs. */
    public boolean isThrough(Stage done) {
        return upTo(step, true).compareTo(done) >= 0 && drivers.values().stream().filter(SwitchDriver::isConnected)
            .allMatch(driver -> driver.isThrough(done));
    }

    private static Stage upTo(Step step, boolean edge) {
        return switch (step) {
            case ADD -> Stage.ADD;
            case CHANGE_INSIDE -> edge ? Stage.ADD : Stage.CHANGE;
            case CHANGE_EDGE -> Stage.CHANGE;
            case REMOVE -> Stage.REMOVE;
        };
    }

    private void target(Step next) {
        LOG.debug("programs {}: {}", generation, next);
        step = next;
        late = Set.of();
        Parallel.each(programs.entrySet(), each ->
            drivers.get(each.getKey()).workOut(each.getValue(), upTo(next, edge.contains(each.getKey()))));
        drivers.forEach((switchName, driver) -> {
            Stage upTo = upTo(next, edge.contains(switchName));
            Program program = programs.get(switchName);
            if (program != null) {
                driver.target(program, generation, upTo);
            } else {
                // a switch on its way out finishes what it has begun
                driver.allow(upTo);
            }
        });
    }

    /**
     * What the switches must hold and were sent.
     *
     * @param rings the daqrings they must hold
     */
    public SortedMap<String, Recorder.SwitchCounts> counts(Map<String, Set<String>> rings) {
        SortedMap<String, Recorder.SwitchCounts> counts = new TreeMap<>();
        programs.forEach((switchName, program) -> {
            SwitchDriver driver = drivers.get(switchName);
            counts.put(switchName, new Recorder.SwitchCounts(program.rules().size(), program.groups().size(),
                rings.getOrDefault(switchName, Set.of()).size(), driver.messages(), driver.failed()));
        });
        return counts;
    }

    /** Messages sent since the controller started. */
    public int messages() {
        return drivers.values().stream().mapToInt(SwitchDriver::messages).sum();
    }
}
