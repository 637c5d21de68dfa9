package org.daqfabric.impl.engine.whatif;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.daqfabric.api.program.Message;
import org.daqfabric.api.program.Program;
import org.daqfabric.impl.engine.diff.Applied;
import org.daqfabric.impl.engine.diff.Diff;
import org.daqfabric.impl.engine.diff.Stage;

/** What switches would be sent on their way to programs, in the steps of a rollout, and what they would hold then. */
public final class RolloutSimulation {
    private final SortedMap<String, Program> held;
    /** Switches that cannot be told anything. */
    private final Set<String> silent;
    private final SortedMap<String, Integer> messages = new TreeMap<>();

    /**
     * Begins with what switches hold; one that is absent holds nothing.
     *
     * @param silent switches that are sent nothing
     */
    public RolloutSimulation(SortedMap<String, Program> held, Set<String> silent) {
        this.held = new TreeMap<>(held);
        this.silent = Set.copyOf(silent);
    }

    /**
     * Sends what goes out before any switch confirms anything.
     *
     * @param last switches that change after the others
     */
    public void begin(SortedMap<String, Program> targets, Set<String> last) {
        if (!batches(targets, Stage.ADD, targets.keySet())) {
            Set<String> first = new TreeSet<>(targets.keySet());
            first.removeAll(last);
            if (!batches(targets, Stage.CHANGE, first) && !batches(targets, Stage.CHANGE, last)) {
                batches(targets, Stage.REMOVE, targets.keySet());
            }
        }
    }

    private boolean batches(SortedMap<String, Program> targets, Stage stage, Set<String> which) {
        boolean any = false;
        for (String name : which) {
            any |= targets.containsKey(name) && batch(name, targets.get(name), stage);
        }
        return any;
    }

    /** Sends all up to a stage, each batch when the one before is confirmed. */
    public void finish(SortedMap<String, Program> targets, Stage upTo) {
        held.keySet().retainAll(targets.keySet());
        targets.forEach((name, target) -> {
            for (Stage stage : EnumSet.range(Stage.ADD, upTo)) {
                while (batch(name, target, stage)) {
                    // until nothing of the stage is left
                }
            }
        });
    }

    private boolean batch(String name, Program target, Stage stage) {
        Program before = held.getOrDefault(name, Program.EMPTY);
        if (silent.contains(name) || before == target) {
            return false;
        }
        List<Message> next = Diff.next(before, target, stage);
        if (!next.isEmpty()) {
            held.put(name, Applied.to(before, next));
            messages.merge(name, next.size(), Integer::sum);
        }
        return !next.isEmpty();
    }

    /** What the switches hold. */
    public SortedMap<String, Program> held() {
        return Collections.unmodifiableSortedMap(held);
    }

    /** Rules and groups sent to a switch. */
    public int messages(String switchName) {
        return messages.getOrDefault(switchName, 0);
    }

    /** Rules and groups sent to all switches. */
    public int messages() {
        return messages.values().stream().mapToInt(Integer::intValue).sum();
    }
}
