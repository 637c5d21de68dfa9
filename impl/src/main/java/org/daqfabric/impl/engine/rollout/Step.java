package org.daqfabric.impl.engine.rollout;

import org.daqfabric.impl.engine.diff.Stage;

/**
 * The steps in which all switches of a fabric go to new programs: none begins a step before all have finished the one
 * before. Changes are made inside the fabric first and at edge switches afterwards, since a leaf must know a path before
 * an edge switch sends to it.
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
