package org.daqfabric.api.run;

import java.util.List;
import java.util.Optional;

/**
 * What a request was answered; remembered, so that the same request gets the same answer.
 *
 * @param partition the partition's name
 * @param asked the whole request in words, to tell another one of the same id
 * @param refusal why it was refused; empty if it was not
 * @param state the partition's state after it
 * @param works whether work goes on under the request's id
 * @param run the run it ended
 */
public record Answer(String requestId, String partition, String asked, Optional<Refusal> refusal, RunState state,
        boolean works, Optional<RunRecord> run) {
    /** Why a request was refused: one reason or more. */
    public record Refusal(Kind kind, List<Reason> reasons) {
        public Refusal {
            reasons = List.copyOf(reasons);
        }

        public enum Kind {
            /** The request itself is wrong. */
            INPUT,
            /** It cannot be in this state. */
            STATE,
            /** Something is missing. */
            MISSING
        }
    }

    /**
     * One reason of a refusal.
     *
     * @param input the leaf of the request that it is about, an empty text for the request as a whole; empty if it is
     *     about no input
     * @param text what is wrong and what to do, in one line
     */
    public record Reason(Optional<String> input, String text) {
    }
}
