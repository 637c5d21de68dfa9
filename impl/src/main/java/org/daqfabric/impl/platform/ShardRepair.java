package org.daqfabric.impl.platform;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.LocalActorRef;
import org.daqfabric.impl.async.Repeating;
import org.eclipse.jdt.annotation.Nullable;
import org.opendaylight.controller.cluster.datastore.DistributedDataStoreInterface;
import org.opendaylight.controller.cluster.datastore.Shard;
import org.opendaylight.controller.cluster.datastore.utils.ActorUtils;
import org.opendaylight.raft.api.RaftRole;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a member of a cluster lead a shard again after it has lost the others, and keeps its queue moving.
 *
 * <p>A leader that is cut off goes on to accept writes, which then wait for a majority. When the cut ends it follows
 * the leader that the others have elected meanwhile, and its log loses what they do not have. OpenDaylight's {@code
 * ShardDataTree} (controller 11.0.2 to 13.0.4) keeps these writes in progress for ever: it forgets them neither when it
 * ceases to lead ({@code purgeLeaderState}) nor by a timeout ("still committing, cannot abort"), and only a majority
 * ends them, which they cannot get. When the member leads again, each write is checked against data as they would be
 * after those writes, and waits behind them: it is refused with {@code ConflictingModificationAppliedException}, or is
 * never answered. So as soon as such a shard follows, this drops what it was left with. It is done on the shard's own
 * thread, between two of its messages.
 *
 * <p>A shard that leads does not check the next write after one that it has refused ({@code canCommitEntry}): that one
 * waits until it is failed by a timeout of some seconds, or another write ends. Where members have waited for a leader
 * their writes have become many, and old, so that most are refused: the queue never ends, and nobody gets the lease.
 * So this has the shard go on.
 *
 * <p>A shard cannot be started anew instead: whoever listens to it would hear nothing any more. A shard that leads
 * already cannot be corrected in this way, because new writes are in progress, too: the controller restarts. It does
 * so, too, when {@link ClientFailures} tells that none of this member's writes will be answered any more.
 */
public final class ShardRepair implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ShardRepair.class);
    private static final long CHECK_MILLIS = 500;

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
        Thread.ofPlatform().daemon().name("daqfabric-shards").factory());
    private final Supplier<Collection<DistributedDataStoreInterface>> stores;
    private final Consumer<String> repaired;
    private final Runnable restart;
    private final AtomicBoolean restarting = new AtomicBoolean();
    private final Map<String, Watched> shards = new ConcurrentHashMap<>();
    /** The actor that watches this member's clients, once there is a datastore. */
    private volatile @Nullable ActorRef clients;

    /** A shard of this member. All but {@code asked} is of its own thread. */
    private static final class Watched {
        private final String name;
        private final ActorRef actor;
        private final AtomicBoolean asked = new AtomicBoolean();
        private HeldWrite held = HeldWrite.NONE;

        Watched(String name, ActorRef actor) {
            this.name = name;
            this.actor = actor;
        }
    }

    /**
     * The oldest write that a leading shard has not finished.
     *
     * @param since when it was seen first, in nanoseconds
     */
    record HeldWrite(@Nullable Object write, long since) {
        static final HeldWrite NONE = new HeldWrite(null, 0);
        /** A leader that has lost the majority is called isolated after some seconds. */
        static final Duration LIMIT = Duration.ofSeconds(30);

        /** The oldest write now; null if there is none, or if the shard cannot be expected to finish it. */
        HeldWrite next(@Nullable Object oldest, long now) {
            return oldest == write ? this : new HeldWrite(oldest, now);
        }

        boolean isBlocked(long now) {
            return write != null && now - since >= LIMIT.toNanos();
        }
    }

    /**
     * Watches this member's shards from now on.
     *
     * @param stores the datastores there are
     * @param repaired is told the shard's name, such as {@code default-config}
     * @param restart restarts the controller
     */
    public ShardRepair(Supplier<Collection<DistributedDataStoreInterface>> stores, Consumer<String> repaired,
            Runnable restart) {
        this.stores = stores;
        this.repaired = repaired;
        this.restart = restart;
        try {
            ShardInternals internals = ShardInternals.find();
            thread.scheduleWithFixedDelay(new Repeating("watching the shards", thread, () -> check(internals)),
                CHECK_MILLIS, CHECK_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ReflectiveOperationException e) {
            LOG.error("This version of OpenDaylight is not known here: when this member has been cut off from the"
                + " others, restart it", e);
        }
    }

    private void check(ShardInternals internals) {
        for (DistributedDataStoreInterface store : stores.get()) {
            ActorUtils utils = store.getActorUtils();
            if (clients == null) {
                clients = ClientFailures.watch(utils.getActorSystem(), this::clientFailed);
            }
            for (String shard : utils.getConfiguration().getMemberShardNames(utils.getCurrentMemberName())) {
                String name = shard + "-" + utils.getDataStoreName();
                if (!shards.containsKey(name)) {
                    utils.findLocalShard(shard).ifPresent(actor -> shards.put(name, new Watched(name, actor)));
                }
            }
        }
        for (Watched shard : shards.values()) {
            if (shard.asked.compareAndSet(false, true)) {
                Runnable look = () -> look(shard, internals);
                shard.actor.tell(look, ActorRef.noSender());
            }
        }
    }

    /** On the shard's thread. */
    @SuppressWarnings("checkstyle:illegalCatch") // what leaves this method, OpenDaylight would take for its own fault
    private void look(Watched shard, ShardInternals internals) {
        shard.asked.set(false);
        try {
            Shard actor = (Shard) ((LocalActorRef) shard.actor).underlying().actor();
            RaftRole role = internals.roleOf(actor);
            if (role == RaftRole.Follower || role == RaftRole.Candidate) {
                int dropped = internals.dropWrites(actor);
                if (dropped >= 0) {
                    LOG.warn("shard {}: this member has led it, and follows now: {} that it had begun and that the"
                        + " others do not have is dropped, so that it can lead again", shard.name,
                        dropped == 1 ? "1 write" : dropped + " writes");
                    repaired.accept(shard.name);
                }
            }
            if (role == RaftRole.Leader) {
                internals.checkWaiting(actor);
            }
            long now = System.nanoTime();
            shard.held = shard.held.next(role == RaftRole.Leader ? internals.oldestSubmitted(actor) : null, now);
            if (shard.held.isBlocked(now)) {
                restart("shard " + shard.name + ": this member leads it, and has not finished a write for "
                    + HeldWrite.LIMIT.toSeconds() + " s, so that every later one waits or is refused");
            }
        } catch (ReflectiveOperationException | RuntimeException e) {
            LOG.error("shard {} cannot be looked into: if writes are refused, restart this member", shard.name, e);
        }
    }

    private void clientFailed(Throwable cause) {
        restart("this member's client of the datastore has failed (" + cause.getMessage() + "), so that none of its"
            + " writes is answered any more");
    }

    private void restart(String why) {
        if (restarting.compareAndSet(false, true)) {
            LOG.error("{}: the controller restarts, and another member leads meanwhile", why);
            thread.execute(restart);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
        if (clients instanceof LocalActorRef actor) {
            actor.stop();
        }
    }
}
