package org.daqfabric.impl.controller.rollout;

import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.spec.Address;
import org.daqfabric.impl.async.Parallel;
import org.daqfabric.impl.controller.spi.Recorder;
import org.daqfabric.impl.engine.diff.Stage;
import org.daqfabric.impl.engine.rollout.ChangeOrder;
import org.daqfabric.impl.engine.rollout.Step;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings all switches to their newest programs, {@link Step} by step. Belongs to the fabric's event loop. */
public final class Rollout {
    private static final Logger LOG = LoggerFactory.getLogger(Rollout.class);

    private final SortedMap<String, SwitchDriver> drivers = new TreeMap<>();
    private SortedMap<String, Program> programs = new TreeMap<>();
    private ChangeOrder order = ChangeOrder.NONE;
    /** Switches that the others no longer wait for in this step. */
    private Set<String> late = Set.of();
    /** Switches all of whose links are down at the other end, so that no packet leaves them. */
    private Set<String> cutOff = Set.of();
    private long generation;
    private Step step = Step.REMOVE;

    /** The drivers by switch. */
    public SortedMap<String, SwitchDriver> drivers() {
        return drivers;
    }

    /** A driver joins; it replaces that of another bridge which had the switch's name. */
    public void join(String switchName, SwitchDriver driver) {
        drivers.put(switchName, driver);
        Program program = programs.get(switchName);
        if (program != null) {
            driver.desire(program, generation, order.upTo(step, switchName));
        }
    }

    /** The desired program of every switch. */
    public SortedMap<String, Program> programs() {
        return programs;
    }

    /** Whether all switches only add, but for those that change first. */
    public boolean isAdding() {
        return step == Step.ADD;
    }

    /** Number of the newest set of programs. */
    public long generation() {
        return generation;
    }

    /**
     * Gives every switch its program.
     *
     * @param newOrder in which order switches change, if they do not have their programs yet
     * @return false if all have it already
     */
    public boolean begin(SortedMap<String, Program> next, ChangeOrder newOrder) {
        if (next.equals(programs)) {
            programs = next;
            giveToDrivers(); // other ports may be unusable
            return false;
        }
        programs = next;
        order = newOrder;
        generation++;
        enter(Step.ADD);
        return true;
    }

    /** Has every switch install ahead what later programs add; a switch without a later program stops doing so. */
    public void prepare(Map<String, Program> next) {
        Parallel.each(next.entrySet(), each -> drivers.get(each.getKey()).workOutAhead(each.getValue()));
        drivers.forEach((switchName, driver) -> driver.prepare(next.get(switchName)));
    }

    /** Sets the switches that no packet leaves, as their neighbours report: nobody waits for them. */
    public void cutOff(Set<String> names) {
        cutOff = names;
    }

    /**
     * Begins the next step if all connected switches have finished the one before.
     *
     * @param mayRemove asked only when it matters; false while newer programs are being made, which may need what these
     *     do not
     */
    public void advance(BooleanSupplier mayRemove) {
        if (step == Step.ADD && awaited().isEmpty()) {
            enter(Step.CHANGE_INSIDE);
        }
        if (step == Step.CHANGE_INSIDE && awaited().isEmpty()) {
            enter(Step.CHANGE_EDGE);
        }
        if (step == Step.CHANGE_EDGE && hasFinished(Stage.CHANGE) && mayRemove.getAsBoolean()) {
            enter(Step.REMOVE);
        }
    }

    /**
     * Stops waiting for late switches, if a set of programs has come no further than a step.
     *
     * @param ofGeneration generation of the set
     * @return the switches that the others no longer wait for
     */
    public Set<String> skipLate(long ofGeneration, Step upTo) {
        Set<String> skipped = generation == ofGeneration && step.compareTo(upTo) <= 0 ? awaited() : Set.of();
        Set<String> all = new TreeSet<>(late);
        all.addAll(skipped);
        late = all;
        return skipped;
    }

    /** Whether edge switches may not change yet, if this set of programs is still the newest. */
    public boolean holdsUpEdge(long ofGeneration) {
        return generation == ofGeneration && step.compareTo(Step.CHANGE_EDGE) < 0;
    }

    /** The switches that the others wait for before they change. */
    private Set<String> awaited() {
        Set<String> awaited = new TreeSet<>();
        if (step == Step.ADD || step == Step.CHANGE_INSIDE) {
            drivers.forEach((switchName, driver) -> {
                if (driver.isConnected() && !driver.hasFinished(order.upTo(step, switchName))
                        && !late.contains(switchName) && !cutOff.contains(switchName)) {
                    awaited.add(switchName);
                }
            });
        }
        return awaited;
    }

    /** Whether all connected switches have confirmed a stage of the newest programs. */
    public boolean hasFinished(Stage done) {
        return step.upTo().compareTo(done) >= 0 && drivers.values().stream().filter(SwitchDriver::isConnected)
            .allMatch(driver -> driver.hasFinished(done));
    }

    /** Whether the programs do not need all that the connected switches have. Asked when these have changed. */
    public boolean removesSomething() {
        return drivers.values().stream().anyMatch(SwitchDriver::removesSomething);
    }

    private void enter(Step next) {
        LOG.debug("programs {}: {}", generation, next);
        step = next;
        late = Set.of();
        Parallel.each(programs.entrySet(), each ->
            drivers.get(each.getKey()).workOut(each.getValue(), order.upTo(next, each.getKey())));
        giveToDrivers();
    }

    private void giveToDrivers() {
        drivers.forEach((switchName, driver) -> {
            Stage upTo = order.upTo(step, switchName);
            Program program = programs.get(switchName);
            if (program != null) {
                driver.desire(program, generation, upTo);
            } else {
                // a switch that is leaving the fabric finishes what it has begun
                driver.allow(upTo);
            }
        });
    }

    /**
     * The sizes of the desired programs and the messages sent.
     *
     * @param rings the desired daqrings of each switch
     */
    public SortedMap<String, Recorder.SwitchCounts> counts(Map<String, Set<Address>> rings) {
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
