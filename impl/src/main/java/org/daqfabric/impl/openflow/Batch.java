package org.daqfabric.impl.openflow;

import com.google.common.util.concurrent.FutureCallback;
import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import com.google.common.util.concurrent.MoreExecutors;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.daqfabric.api.program.Message;
import org.daqfabric.impl.controller.RuleChannel.Refusal;
import org.opendaylight.yangtools.yang.common.RpcResult;

/**
 * Sends changes to one switch in waves: a wave is outstanding at once, with a barrier behind it, and the next follows
 * when the switch has answered it. Blocks no thread.
 */
final class Batch {
    /** Well below the plugin's quota of requests, so that others have room beside a batch. */
    private static final int WAVE = 5000;

    private final SwitchSession session;
    private final Requests requests;
    private final List<Message> messages;
    private final Executor executor;
    private final AtomicInteger outstanding = new AtomicInteger();
    private final Queue<Refusal> refusals = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<List<Refusal>> result = new CompletableFuture<>();

    /** The first message that was not sent yet; one wave at a time touches it. */
    private int next;

    Batch(final SwitchSession session, final Requests requests, final List<Message> messages,
            final Executor executor) {
        this.session = session;
        this.requests = requests;
        this.messages = messages;
        this.executor = executor;
    }

    /**
     * Starts sending.
     *
     * @return what the switch refused; fails as soon as a request goes unanswered
     */
    CompletableFuture<List<Refusal>> start() {
        session.whenLost(result);
        executor.execute(this::wave);
        return result;
    }

    private void wave() {
        final int end = Math.min(next + WAVE, messages.size());
        outstanding.set(end - next + 1);
        while (next < end && !result.isDone()) {
            final Message message = messages.get(next++);
            try {
                await(requests.change(session.node(), message, session.cookie(message)), message);
            } catch (RuntimeException e) {
                result.completeExceptionally(e);
            }
        }
        if (!result.isDone()) {
            await(requests.barrier(session.node()), null);
        }
    }

    private void await(final ListenableFuture<? extends RpcResult<?>> answer, final Message message) {
        Futures.addCallback(answer, new FutureCallback<RpcResult<?>>() {
            @Override
            public void onSuccess(final RpcResult<?> answered) {
                answered(message, answered);
            }

            @Override
            public void onFailure(final Throwable cause) {
                result.completeExceptionally(new SwitchLostException(session.datapathId(),
                    "no answer: " + cause.getMessage(), cause));
            }
        }, MoreExecutors.directExecutor());
    }

    private void answered(final Message message, final RpcResult<?> answer) {
        if (answer.isSuccessful()) {
            if (message != null) {
                session.done(message);
            }
        } else {
            final String text = Answers.text(answer);
            final var words = Refusals.words(text);
            if (message == null || words.isEmpty()) {
                result.completeExceptionally(new SwitchLostException(session.datapathId(), text));
                return;
            }
            refusals.add(new Refusal(message, words.orElseThrow()));
        }
        if (outstanding.decrementAndGet() == 0) {
            executor.execute(this::waveDone);
        }
    }

    private void waveDone() {
        if (next < messages.size()) {
            wave();
        } else {
            result.complete(List.copyOf(refusals));
        }
    }
}
