package org.daqfabric.impl.runcontrol;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.daqfabric.api.run.Answer;

/** The requests that are not answered yet. Those that are open when run control ends are answered then. */
final class OpenRequests {
    private final Set<CompletableFuture<Answer>> open = ConcurrentHashMap.newKeySet();
    private volatile boolean ended;

    /** The answer to a new request, to be completed. */
    CompletableFuture<Answer> open() {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        open.add(answer);
        answer.whenComplete((result, failure) -> open.remove(answer));
        // it may have ended since the caller found it
        if (ended) {
            end(answer);
        }
        return answer;
    }

    /** Answers all of them, and later ones at once. */
    void end() {
        ended = true;
        open.forEach(OpenRequests::end);
    }

    /** Whether it is carried out is not known where its decision is just being stored; the same request-id tells. */
    private static void end(CompletableFuture<Answer> answer) {
        answer.completeExceptionally(new UnansweredException());
    }
}
