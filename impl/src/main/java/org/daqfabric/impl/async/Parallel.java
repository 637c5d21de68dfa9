package org.daqfabric.impl.async;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.ForkJoinTask;
import java.util.function.Consumer;
import java.util.function.Function;

/** Work that a repair waits for, on all processors. */
public final class Parallel {
    private Parallel() {
    }

    /**
     * What a function makes of each, in their order. Each is a task of its own: some take ten times as long as others.
     *
     * @param how must not wait for anything, and is called by several threads at a time
     */
    public static <T, R> List<R> map(Collection<T> of, Function<T, R> how) {
        List<ForkJoinTask<R>> tasks = of.stream().map(each -> ForkJoinTask.adapt(() -> how.apply(each))).toList();
        return ForkJoinTask.invokeAll(tasks).stream().map(ForkJoinTask::join).toList();
    }

    /** The same for what is done to each. */
    public static <T> void each(Collection<T> of, Consumer<T> what) {
        map(of, each -> {
            what.accept(each);
            return each;
        });
    }
}
