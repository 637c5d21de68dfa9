package org.daqfabric.impl.author;

import com.google.common.util.concurrent.FluentFuture;
import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.MoreExecutors;
import java.util.Optional;
import org.opendaylight.mdsal.common.api.CommitInfo;

/**
 * Why the datastore did not take what one request to RESTCONF wrote. RESTCONF itself tells its client the reason of
 * some of these failures only; it is kept here, before RESTCONF sees it, for whoever completes the answer.
 */
public final class FailedCommit {
    private static final ThreadLocal<FailedCommit> CURRENT = new ThreadLocal<>();

    private volatile Throwable cause;

    /** That of the request which the present thread works on; empty if it works on none that asks. */
    static Optional<FailedCommit> current() {
        return Optional.ofNullable(CURRENT.get());
    }

    /** Empty as long as nothing failed. */
    public Optional<Throwable> cause() {
        return Optional.ofNullable(cause);
    }

    /** Does the work of a request on the present thread; its transactions may be committed on any. */
    public <X extends Exception, Y extends Exception> void of(Author.Work<X, Y> work) throws X, Y {
        CURRENT.set(this);
        try {
            work.run();
        } finally {
            CURRENT.remove();
        }
    }

    /** The same commit, whose failure is noted before anyone else learns of it. */
    <T extends CommitInfo> FluentFuture<T> noting(FluentFuture<T> commit) {
        return commit.catchingAsync(Throwable.class, failure -> {
            cause = failure;
            return Futures.immediateFailedFuture(failure);
        }, MoreExecutors.directExecutor());
    }
}
