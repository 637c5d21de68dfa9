package org.daqfabric.impl.controller.rollout;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.daqfabric.api.program.Message;
import org.daqfabric.api.program.Program;
import org.daqfabric.impl.engine.diff.Diff;
import org.daqfabric.impl.engine.diff.Stage;

/** The messages from one program to another, not worked out again while it is asked about the same two. */
final class DiffCache {
    private Program held;
    private Program target;
    private Diff diff;
    private Map<Stage, List<Message>> messages = new EnumMap<>(Stage.class);

    /** The next messages of a stage, as {@link Diff#next} has them. */
    List<Message> next(Program from, Program to, Stage stage) {
        if (from == to) {
            forget();
            return List.of();
        }
        if (from != held || to != target) {
            held = from;
            target = to;
            diff = Diff.between(from, to);
            messages = new EnumMap<>(Stage.class);
        }
        return messages.computeIfAbsent(stage, diff::next);
    }

    /** Goes on from what another was asked last. */
    void take(DiffCache other) {
        held = other.held;
        target = other.target;
        diff = other.diff;
        messages = other.messages;
        other.forget();
    }

    /** Holds on to no program any longer. */
    void forget() {
        held = null;
        target = null;
        diff = null;
        messages = new EnumMap<>(Stage.class);
    }
}
