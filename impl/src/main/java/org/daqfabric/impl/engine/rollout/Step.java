package org.daqfabric.impl.engine.rollout;

import org.daqfabric.impl.engine.diff.Stage;

/**
 * The steps of a rollout. No switch begins a step before all have finished the one before. Leaves and spines change
 * before edge switches, since a leaf must have a path before an edge switch sends to it.
 */
public enum Step {
    ADD, CHANGE_INSIDE, CHANGE_EDGE, REMOVE;

    /** The last stage that all switches may go through in this step; {@link ChangeOrder} lets some go further. */
    public Stage upTo() {
        return switch (this) {
            case ADD, CHANGE_INSIDE -> Stage.ADD;
            case CHANGE_EDGE -> Stage.CHANGE;
            case REMOVE -> Stage.REMOVE;
        };
    }
}
