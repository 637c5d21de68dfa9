package org.daqfabric.impl.runcontrol;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.daqfabric.api.run.Answer;
import org.daqfabric.api.run.Answer.Reason;

/** Thrown where a request is refused; carries the kind of error and the message for the caller. */
public final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Answer.Refusal refusal;

    private Refusal(Answer.Refusal.Kind kind, List<Reason> reasons) {
        super(reasons.stream().map(Reason::text).collect(Collectors.joining("\n")));
        refusal = new Answer.Refusal(kind, reasons);
    }

    /** One leaf of the request is wrong. */
    static Refusal input(String leaf, String message) {
        return input(List.of(about(leaf, message)));
    }

    /** The request itself is wrong. */
    static Refusal input(List<Reason> reasons) {
        return new Refusal(Answer.Refusal.Kind.INPUT, reasons);
    }

    static Refusal state(String message) {
        return new Refusal(Answer.Refusal.Kind.STATE, List.of(reason(message)));
    }

    static Refusal missing(String message) {
        return missing(List.of(reason(message)));
    }

    static Refusal missing(List<Reason> reasons) {
        return new Refusal(Answer.Refusal.Kind.MISSING, reasons);
    }

    /** A reason that is about no input. */
    static Reason reason(String text) {
        return new Reason(Optional.empty(), text);
    }

    /**
     * A reason that is about an input.
     *
     * @param leaf the input, by its name in the YANG module; empty for the request as a whole
     */
    static Reason about(String leaf, String text) {
        return new Reason(Optional.of(leaf), text);
    }

    public Answer.Refusal refusal() {
        return refusal;
    }
}
