package org.daqfabric.api.run;

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
public record Answer(String requestId, String partition, String asked, Optional<Refusal> refusal, RunState state, boolean works,
        Optional<RunRecord> run) {
    /**
     * Why a request was refused.
     *
     * @param message one item in a line
     */
    public record Refusal(Kind kind, String message) {
        public enum Kind {
            /** The request itself is wrong. */
            INPUT,
            /** It cannot be in this state. */
            STATE,
            /** Something is missing. */
            MISSING
        }
    }
}
