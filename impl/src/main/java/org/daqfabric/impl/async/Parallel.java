package org.daqfabric.impl.async;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.ForkJoinTask;
import java.util.function.Consumer;
import java.util.function.Function;

/** Work on all processors while the caller, usually a repair, waits for it. */
public final class Parallel {
    private Parallel() {
    }

    /**
     * The results of a function, in the order of its arguments. Each call is a task of its own: some take ten times as
     * long as others.
     *
     * @param function must not block, and is called by several threads at a time
     */
    public static <T, R> List<R> map(Collection<T> arguments, Function<T, R> function) {
        List<ForkJoinTask<R>> tasks = arguments.stream().map(each -> ForkJoinTask.adapt(() -> function.apply(each)))
            .toList();
        return ForkJoinTask.invokeAll(tasks).stream().map(ForkJoinTask::join).toList();
    }

    /** Does the same with an action that has no result. */
    public static <T> void each(Collection<T> arguments, Consumer<T> action) {
        map(arguments, each -> {
            action.accept(each);
            return each;
        });
    }
}
