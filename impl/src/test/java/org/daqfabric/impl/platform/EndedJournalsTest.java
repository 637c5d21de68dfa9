package org.daqfabric.impl.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.RETURNS_DEEP_STUBS;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import com.google.common.base.MoreObjects.ToStringHelper;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.daqfabric.impl.platform.EndedJournals.Internals;
import org.eclipse.jdt.annotation.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opendaylight.controller.cluster.datastore.DistributedDataStoreInterface;
import org.opendaylight.controller.cluster.datastore.Shard;
import org.opendaylight.controller.cluster.datastore.exceptions.TimeoutException;
import org.opendaylight.controller.cluster.datastore.utils.ActorUtils;
import org.opendaylight.controller.cluster.raft.spi.EntryJournalV1;
import org.opendaylight.controller.cluster.raft.spi.JournalWriteTask;
import org.opendaylight.controller.cluster.raft.spi.LogEntry;
import org.opendaylight.controller.cluster.raft.spi.RaftCallback;
import org.opendaylight.controller.cluster.raft.spi.RaftStorageCompleter;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.raft.spi.CompressionType;

/** With OpenDaylight's own journal. */
class EndedJournalsTest {
    @TempDir
    private Path folder;
    private final LinkedBlockingQueue<Exception> failures = new LinkedBlockingQueue<>();

    private final RaftCallback<Long> callback = new RaftCallback<>() {
        @Override
        public void invoke(@Nullable Exception failure, Long success) {
            failures.add(failure);
        }

        @Override
        protected ToStringHelper addToStringAttributes(ToStringHelper helper) {
            return helper;
        }
    };

    @Test
    void causeOfTheFirstFailureIsTold() throws Exception {
        Internals internals = Internals.find();
        Object storage = mock(internals.storage().getType());
        Object control = mock(internals.control().getType());
        Shard shard = mock(Shard.class);
        internals.control().set(shard, control);
        internals.storage().set(control, storage);
        assertThat(internals.cause(shard)).as("not started").isEmpty();

        JournalWriteTask task = new JournalWriteTask(new RaftStorageCompleter("test", Runnable::run),
            new EntryJournalV1("test", folder, CompressionType.NONE, false), 16);
        internals.task().set(storage, task);
        Thread writer = Thread.ofVirtual().start(task);
        assertThat(internals.cause(shard)).isEmpty();
        try {
            task.appendEntry(failing("first"), callback);
            assertThat(failures.poll(10, TimeUnit.SECONDS)).hasMessage("first");
            assertThat(internals.cause(shard)).get().hasToString("java.lang.IllegalStateException: first");

            task.appendEntry(failing("second"), callback);
            assertThat(failures.poll(10, TimeUnit.SECONDS)).as("as in OpenDaylight: nothing is tried any more")
                .hasMessage("Previous action failed");
            assertThat(internals.cause(shard)).get().hasToString("java.lang.IllegalStateException: first");
        } finally {
            task.cancelAndTerminate();
            writer.join();
        }
    }

    private static LogEntry failing(String why) {
        LogEntry entry = mock(LogEntry.class);
        when(entry.index()).thenThrow(new IllegalStateException(why));
        return entry;
    }

    /** As while OpenDaylight stops: whatever the datastore answers, it is not this that failed. */
    @Test
    void aDatastoreThatDoesNotSayWhereItsShardsAreHasNoCause() {
        ActorUtils utils = mock(ActorUtils.class, RETURNS_DEEP_STUBS);
        when(utils.getDataStoreName()).thenReturn("config");
        when(utils.getConfiguration().getMemberShardNames(any())).thenReturn(List.of("default"));
        when(utils.findLocalShard("default")).thenThrow(new TimeoutException("no answer", null));
        DistributedDataStoreInterface store = mock(DistributedDataStoreInterface.class);
        when(store.getActorUtils()).thenReturn(utils);
        assertThat(new EndedJournals(() -> List.of(store)).in(LogicalDatastoreType.CONFIGURATION)).isEmpty();
    }
}
