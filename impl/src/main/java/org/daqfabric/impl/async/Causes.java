package org.daqfabric.impl.async;

import com.google.common.base.Throwables;
import java.util.concurrent.CompletionException;

/** What failed, without the wrapper that a chain of completion stages puts around it. */
public final class Causes {
    private Causes() {
    }

    /** What a stage failed with; null if it did not. */
    public static Throwable of(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    /** The innermost cause in words, for a line of a log that needs no trace. */
    public static String inWords(Throwable failure) {
        return Throwables.getRootCause(failure).toString();
    }
}
