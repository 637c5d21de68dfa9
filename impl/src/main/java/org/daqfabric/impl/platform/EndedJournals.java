package org.daqfabric.impl.platform;

import java.lang.reflect.Field;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.apache.pekko.actor.LocalActorRef;
import org.eclipse.jdt.annotation.Nullable;
import org.opendaylight.controller.cluster.datastore.DistributedDataStoreInterface;
import org.opendaylight.controller.cluster.datastore.Shard;
import org.opendaylight.controller.cluster.datastore.exceptions.TimeoutException;
import org.opendaylight.controller.cluster.datastore.utils.ActorUtils;
import org.opendaylight.controller.cluster.raft.RaftActor;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells which journals have ended. OpenDaylight's {@code JournalWriteTask} (controller 11.0.2) takes nothing more after
 * the first write that fails, whatever the cause, for as long as the controller runs. Who writes is told nothing of it,
 * and waits. The names are those of that version; a test tells whether another one has them.
 */
public final class EndedJournals {
    private static final Logger LOG = LoggerFactory.getLogger(EndedJournals.class);

    private final Supplier<Collection<DistributedDataStoreInterface>> stores;
    private final Optional<Internals> internals;

    /**
     * Where a shard keeps why its journal has ended.
     *
     * @param control of a shard
     * @param storage what is used if the shard is to be stored
     * @param task writes the journal; null before the shard has started
     * @param ended why it writes no more
     */
    record Internals(Field control, Field storage, Field task, Field ended) {
        static Internals find() throws NoSuchFieldException {
            Field control = field(RaftActor.class, "persistenceControl");
            Field storage = field(control.getType(), "enabledStorage");
            Field task = field(storage.getType(), "task");
            return new Internals(control, storage, task, field(task.getType(), "aborted"));
        }

        private static Field field(Class<?> owner, String name) throws NoSuchFieldException {
            Field found = owner.getDeclaredField(name);
            found.setAccessible(true);
            return found;
        }

        /** What failed first; empty if the journal goes on. */
        Optional<Throwable> cause(Shard shard) throws IllegalAccessException {
            @Nullable Object writer = task.get(storage.get(control.get(shard)));
            if (writer == null) {
                return Optional.empty();
            }
            return Optional.ofNullable((CancellationException) ((AtomicReference<?>) ended.get(writer)).get())
                .map(end -> end.getCause() == null ? end : end.getCause());
        }
    }

    /**
     * Looks when it is asked.
     *
     * @param stores the datastores there are
     */
    public EndedJournals(Supplier<Collection<DistributedDataStoreInterface>> stores) {
        this.stores = stores;
        this.internals = known();
    }

    private static Optional<Internals> known() {
        try {
            return Optional.of(Internals.find());
        } catch (NoSuchFieldException e) {
            LOG.info("This version of OpenDaylight is not known here: if writes are not answered, its journal may have"
                + " ended", e);
            return Optional.empty();
        }
    }

    /**
     * The first journal of a datastore that has ended, with the cause; empty if all of this member's go on, or if the
     * datastore does not say in time where its shards are.
     */
    public Optional<String> in(LogicalDatastoreType type) {
        try {
            return first(type);
        } catch (TimeoutException e) {
            LOG.debug("shards of {}", type, e);
            return Optional.empty();
        }
    }

    private Optional<String> first(LogicalDatastoreType type) {
        String name = type == LogicalDatastoreType.CONFIGURATION ? "config" : "operational";
        for (DistributedDataStoreInterface store : stores.get()) {
            ActorUtils utils = store.getActorUtils();
            if (internals.isPresent() && name.equals(utils.getDataStoreName())) {
                for (String shard : utils.getConfiguration().getMemberShardNames(utils.getCurrentMemberName())) {
                    Optional<String> ended = utils.findLocalShard(shard)
                        .flatMap(actor -> actor instanceof LocalActorRef local ? cause(local) : Optional.empty())
                        .map(cause -> "journal of shard " + shard + " ended with " + cause);
                    if (ended.isPresent()) {
                        return ended;
                    }
                }
            }
        }
        return Optional.empty();
    }

    private Optional<Throwable> cause(LocalActorRef actor) {
        try {
            return actor.underlying().actor() instanceof Shard shard ? internals.orElseThrow().cause(shard)
                : Optional.empty();
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("all of them are accessible", e);
        }
    }
}
