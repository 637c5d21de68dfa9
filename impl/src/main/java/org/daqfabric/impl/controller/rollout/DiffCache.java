package org.daqfabric.impl.controller.rollout;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.daqfabric.api.program.Message;
import org.daqfabric.api.program.Program;
import org.daqfabric.impl.engine.diff.Diff;
import org.daqfabric.impl.engine.diff.Stage;
import org.eclipse.jdt.annotation.Nullable;

/** The messages from one program to another; they are computed once while the two programs stay the same objects. */
final class DiffCache {
    private @Nullable Program from;
    private @Nullable Program to;
    private @Nullable Diff diff;
    private Map<Stage, List<Message>> messages = new EnumMap<>(Stage.class);

    /** The next messages of a stage, as {@link Diff#next} returns them. */
    List<Message> next(Program installed, Program desired, Stage stage) {
        if (installed == desired) {
            forget();
            return List.of();
        }
        if (installed != from || desired != to) {
            from = installed;
            to = desired;
            diff = Diff.between(installed, desired);
            messages = new EnumMap<>(Stage.class);
        }
        return messages.computeIfAbsent(stage, diff::next);
    }

    /** Takes over the contents of another cache and empties that. */
    void take(DiffCache other) {
        from = other.from;
        to = other.to;
        diff = other.diff;
        messages = other.messages;
        other.forget();
    }

    /** Empties the cache, so that it refers to no program. */
    void forget() {
        from = null;
        to = null;
        diff = null;
        messages = new EnumMap<>(Stage.class);
    }
}
