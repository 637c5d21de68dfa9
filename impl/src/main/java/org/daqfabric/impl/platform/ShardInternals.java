package org.daqfabric.impl.platform;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.Iterator;
import org.eclipse.jdt.annotation.Nullable;
import org.opendaylight.controller.cluster.datastore.Shard;
import org.opendaylight.controller.cluster.datastore.ShardDataTree;
import org.opendaylight.controller.cluster.raft.RaftActor;
import org.opendaylight.raft.api.RaftRole;

/**
 * What a shard of OpenDaylight keeps to itself, for {@link ShardRepair}. The names are those of controller 11.0.2; a
 * test tells whether another version has them. All methods are for the thread of the shard's actor.
 *
 * @param role returns a shard's role
 * @param store its data with the writes in progress
 * @param committed the data that a majority has
 * @param tip the data as they will be after all writes in progress: the next write is checked against them
 * @param waiting writes that have not been checked
 * @param prepared writes that have been checked
 * @param submitted of those, the ones that wait for a majority
 * @param resume checks the first of those that wait
 */
record ShardInternals(Method role, Field store, Field committed, Field tip, Field waiting, Field prepared,
        Field submitted, Method resume) {
    /** Finds them; fails if this version of OpenDaylight names them otherwise. */
    static ShardInternals find() throws ReflectiveOperationException {
        return new ShardInternals(method(RaftActor.class, "getRaftState"),
            field(Shard.class, "store"), field(ShardDataTree.class, "dataTree"), field(ShardDataTree.class, "tip"),
            field(ShardDataTree.class, "pendingTransactions"), field(ShardDataTree.class, "pendingCommits"),
            field(ShardDataTree.class, "pendingFinishCommits"),
            method(ShardDataTree.class, "resumeNextPendingTransaction"));
    }

    private static Method method(Class<?> owner, String name) throws ReflectiveOperationException {
        Method found = owner.getDeclaredMethod(name);
        found.setAccessible(true);
        return found;
    }

    private static Field field(Class<?> owner, String name) throws ReflectiveOperationException {
        Field found = owner.getDeclaredField(name);
        found.setAccessible(true);
        return found;
    }

    RaftRole roleOf(Shard shard) throws ReflectiveOperationException {
        return (RaftRole) role.invoke(shard);
    }

    /** The write that has waited longest for a majority; null if there is none. */
    @Nullable Object oldestSubmitted(Shard shard) throws ReflectiveOperationException {
        Iterator<?> all = ((Collection<?>) submitted.get(store.get(shard))).iterator();
        return all.hasNext() ? all.next() : null;
    }

    /** Checks the writes that wait, for as long as they are refused: after one that is accepted the shard goes on. */
    void checkWaiting(Shard shard) throws ReflectiveOperationException {
        Object tree = store.get(shard);
        Collection<?> all = (Collection<?>) waiting.get(tree);
        for (int before = all.size() + 1; !all.isEmpty() && all.size() < before;) {
            before = all.size();
            resume.invoke(tree);
        }
    }

    /**
     * Drops the writes that a shard which does not lead has been left with. Nothing that a majority has is lost: that
     * comes from the leader, whoever began it.
     *
     * @return how many; -1 if there were none, and nothing has been changed
     */
    int dropWrites(Shard shard) throws ReflectiveOperationException {
        Object tree = store.get(shard);
        Collection<?> first = (Collection<?>) submitted.get(tree);
        Collection<?> then = (Collection<?>) prepared.get(tree);
        if (first.isEmpty() && then.isEmpty() && tip.get(tree) == committed.get(tree)) {
            return -1;
        }
        tip.set(tree, committed.get(tree));
        final int dropped = first.size() + then.size();
        first.clear();
        then.clear();
        return dropped;
    }
}
