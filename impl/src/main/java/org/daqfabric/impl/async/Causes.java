package org.daqfabric.impl.async;

import com.google.common.base.Throwables;
import java.util.concurrent.CompletionException;
import org.eclipse.jdt.annotation.Nullable;

/** The causes of failed completion stages, without the exception that a chain of stages wraps around them. */
public final class Causes {
    private Causes() {
    }

    /** The exception a stage failed with; null if it did not fail. */
    public static @Nullable Throwable of(@Nullable Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    /** The innermost cause as text, for a log line without a stack trace. */
    public static String inWords(Throwable failure) {
        return Throwables.getRootCause(failure).toString();
    }
}
