package org.daqfabric.impl.engine.rollout;

import org.daqfabric.impl.engine.diff.Stage;

/**
 * The steps of a rollout. No switch begins a step before all have finished the one before. Leaves and spines change
 * before edge switches, since a leaf must have a path before an edge switch sends to it.
 */
public enum Step {
    ADD, CHANGE_INSIDE, CHANGE_EDGE, REMOVE;

    /**
     * The last stage that a switch may go through in this step.
     *
     * @param last whether it is one of the switches that change after the others
     */
    public Stage upTo(boolean last) {
        return switch (this) {
            case ADD -> Stage.ADD;
            case CHANGE_INSIDE -> last ? Stage.ADD : Stage.CHANGE;
            case CHANGE_EDGE -> Stage.CHANGE;
            case REMOVE -> Stage.REMOVE;
        };
    }
}
