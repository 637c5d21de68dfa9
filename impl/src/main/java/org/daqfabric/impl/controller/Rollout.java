package org.daqfabric.impl.controller;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.program.Program;
import org.daqfabric.impl.engine.diff.Stage;

/** Brings all switches to their newest programs, stage by stage: none begins one before all are through the last. */
final class Rollout {
    private final SortedMap<String, SwitchDriver> drivers = new TreeMap<>();
    private SortedMap<String, Program> programs = new TreeMap<>();
    private long generation;
    private Stage stage = Stage.REMOVE;

    /** The drivers by switch. */
    SortedMap<String, SwitchDriver> drivers() {
        return drivers;
    }

    SortedMap<String, Program> programs() {
        return programs;
    }

    /** Counts the sets of programs. */
    long generation() {
        return generation;
    }

    /**
     * Gives every switch its program.
     *
     * @return false if all have it already
     */
    boolean begin(SortedMap<String, Program> next) {
        if (next.equals(programs)) {
            return false;
        }
        programs = next;
        generation++;
        target(Stage.ADD);
        return true;
    }

    /** Has every switch make what later programs add; without programs, takes that back. */
    void prepare(Map<String, Program> next) {
        drivers.forEach((switchName, driver) -> driver.prepare(next.get(switchName)));
    }

    /**
     * Begins the next stage where all connected switches are through the one before.
     *
     * @param mayRemove false while newer programs are in the making, which may count on what these do not need
     */
    void advance(boolean mayRemove) {
        if (stage == Stage.ADD && isThrough(Stage.ADD)) {
            target(Stage.CHANGE);
        }
        if (mayRemove && stage == Stage.CHANGE && isThrough(Stage.CHANGE)) {
            target(Stage.REMOVE);
        }
    }

    /**
     * Lets changes begin without those who have not confirmed what was added, if that is where a set of programs is.
     *
     * @return the switches that are not waited for any longer
     */
    List<String> hurry(long of) {
        if (generation != of || stage != Stage.ADD) {
            return List.of();
        }
        List<String> late = drivers.entrySet().stream()
            .filter(entry -> entry.getValue().isConnected() && !entry.getValue().isThrough(Stage.ADD))
            .map(Map.Entry::getKey).toList();
        target(Stage.CHANGE);
        return late;
    }

    /** Whether all connected switches confirmed a stage of the newest programs. */
    boolean isThrough(Stage done) {
        return stage.compareTo(done) >= 0 && drivers.values().stream().filter(SwitchDriver::isConnected)
            .allMatch(driver -> driver.isThrough(done));
    }

    private void target(Stage upTo) {
        stage = upTo;
        drivers.forEach((switchName, driver) -> {
            Program program = programs.get(switchName);
            if (program != null) {
                driver.target(program, generation, upTo);
            } else {
                // a switch on its way out finishes what it has begun
                driver.allow(upTo);
            }
        });
    }

    /** Messages sent since the controller started. */
    int messages() {
        return drivers.values().stream().mapToInt(SwitchDriver::messages).sum();
    }
}
