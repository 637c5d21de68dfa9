package org.daqfabric.impl.engine.rollout;

import java.util.Set;
import org.daqfabric.impl.engine.diff.Stage;

/**
 * Which switches change before the others in a rollout, and which after them.
 *
 * @param first leaves and spines that no packet passes until others change; they change while all others only add. One
 *     that gets another role may keep groups whose ports lead elsewhere now, which the others must not use before
 * @param last edge switches that must not send inside before leaves and spines have changed
 */
public record ChangeOrder(Set<String> first, Set<String> last) {
    /** All change at the same time. */
    public static final ChangeOrder NONE = new ChangeOrder(Set.of(), Set.of());

    public ChangeOrder {
        first = Set.copyOf(first);
        last = Set.copyOf(last);
    }

    /** The last stage that a switch may go through in a step. */
    public Stage upTo(Step step, String switchName) {
        boolean further = step == Step.ADD && first.contains(switchName)
            || step == Step.CHANGE_INSIDE && !last.contains(switchName);
        return further ? Stage.CHANGE : step.upTo();
    }
}
