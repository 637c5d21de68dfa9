package org.daqfabric.impl.openflow;

import com.google.common.util.concurrent.FutureCallback;
import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import org.opendaylight.yangtools.yang.common.RpcError;
import org.opendaylight.yangtools.yang.common.RpcResult;

/** Answers to RPCs. */
final class Answers {
    private Answers() {
    }

    /** The answer, continued on the executor; fails with a {@link SwitchLostException} if there is none. */
    static <T> CompletableFuture<T> of(final long datapathId, final ListenableFuture<RpcResult<T>> rpc,
            final Executor executor) {
        final var answer = new CompletableFuture<T>();
        Futures.addCallback(rpc, new FutureCallback<>() {
            @Override
            public void onSuccess(final RpcResult<T> result) {
                if (result.isSuccessful()) {
                    answer.complete(result.getResult());
                } else {
                    answer.completeExceptionally(new SwitchLostException(datapathId, text(result)));
                }
            }

            @Override
            public void onFailure(final Throwable cause) {
                answer.completeExceptionally(new SwitchLostException(datapathId, "no answer: " + cause.getMessage(), cause));
            }
        }, executor);
        return answer;
    }

    static String text(final RpcResult<?> result) {
        return result.getErrors().stream().map(Answers::text).collect(Collectors.joining("; "));
    }

    /** The plugin calls it an exceeded quota, too, when a connection that goes down takes no more requests. */
    private static String text(final RpcError error) {
        final String message = String.valueOf(error.getMessage());
        return message.equals("Request quota exceeded") ? "the plugin takes no more requests for this connection"
            : message;
    }
}
