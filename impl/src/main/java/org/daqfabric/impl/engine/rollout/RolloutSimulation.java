package org.daqfabric.impl.engine.rollout;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.program.Message;
import org.daqfabric.api.program.Program;
import org.daqfabric.impl.engine.diff.Applied;
import org.daqfabric.impl.engine.diff.Diff;
import org.daqfabric.impl.engine.diff.Stage;

/** Simulates a rollout: counts the messages of each step and keeps what each switch would have installed. */
public final class RolloutSimulation {
    private final SortedMap<String, Program> installed;
    /** Switches that cannot be reached. */
    private final Set<String> unreachable;
    private final SortedMap<String, Integer> messages = new TreeMap<>();

    /**
     * Starts from what each switch has installed.
     *
     * @param installed programs by switch; a switch without one has nothing installed
     * @param unreachable switches to which nothing is sent
     */
    public RolloutSimulation(SortedMap<String, Program> installed, Set<String> unreachable) {
        this.installed = new TreeMap<>(installed);
        this.unreachable = Set.copyOf(unreachable);
    }

    /**
     * Sends what goes out before any switch has confirmed anything, and while a decision is due: one batch to each
     * switch, of the first step that has messages. Nothing is removed then.
     */
    public void begin(SortedMap<String, Program> desired, ChangeOrder order) {
        for (Step step : EnumSet.range(Step.ADD, Step.CHANGE_EDGE)) {
            boolean sent = false;
            for (String name : desired.keySet()) {
                sent |= batch(name, desired.get(name), order.upTo(step, name));
            }
            if (sent) {
                return;
            }
        }
    }

    /** Sends all messages up to a stage, each batch after the one before is confirmed. */
    public void finish(SortedMap<String, Program> desired, Stage upTo) {
        installed.keySet().retainAll(desired.keySet());
        desired.forEach((name, program) -> {
            for (Stage stage : EnumSet.range(Stage.ADD, upTo)) {
                while (batch(name, program, stage)) {
                    // until nothing of the stage is left
                }
            }
        });
    }

    private boolean batch(String name, Program desired, Stage stage) {
        Program before = installed.getOrDefault(name, Program.EMPTY);
        if (unreachable.contains(name) || before == desired) {
            return false;
        }
        List<Message> next = Diff.next(before, desired, stage);
        if (!next.isEmpty()) {
            installed.put(name, Applied.to(before, next));
            messages.merge(name, next.size(), Integer::sum);
        }
        return !next.isEmpty();
    }

    /** What the switches have installed. */
    public SortedMap<String, Program> installed() {
        return Collections.unmodifiableSortedMap(installed);
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
