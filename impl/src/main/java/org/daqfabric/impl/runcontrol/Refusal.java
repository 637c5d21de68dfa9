package org.daqfabric.impl.runcontrol;

import org.daqfabric.api.run.Answer;

/** A request that is refused, and why. */
public final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Answer.Refusal refusal;

    private Refusal(Answer.Refusal.Kind kind, String message) {
        super(message);
        refusal = new Answer.Refusal(kind, message);
    }

    /** The request itself is wrong; the message begins with the input's path. */
    public static Refusal input(String message) {
        return new Refusal(Answer.Refusal.Kind.INPUT, message);
    }

    static Refusal state(String message) {
        return new Refusal(Answer.Refusal.Kind.STATE, message);
    }

    static Refusal missing(String message) {
        return new Refusal(Answer.Refusal.Kind.MISSING, message);
    }

    public Answer.Refusal refusal() {
        return refusal;
    }
}
