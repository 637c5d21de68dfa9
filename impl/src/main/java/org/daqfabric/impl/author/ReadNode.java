package org.daqfabric.impl.author;

import com.google.common.util.concurrent.FluentFuture;
import com.google.common.util.concurrent.MoreExecutors;
import java.time.Instant;
import java.util.Optional;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.mdsal.dom.api.DOMDataTreeReadTransaction;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier;
import org.opendaylight.yangtools.yang.data.api.schema.NormalizedNode;

/**
 * What a request to RESTCONF reads of our configuration, for whoever completes the answer with its entity tag and time.
 */
public final class ReadNode {
    private static final String OURS = "urn:daqfabric";
    private static final ThreadLocal<ReadNode> CURRENT = new ThreadLocal<>();

    private volatile Optional<NormalizedNode> node = Optional.empty();
    private volatile Optional<Instant> changed = Optional.empty();
    private volatile boolean withState;

    /** Empty if it read nothing of ours, or nothing is there. */
    public Optional<NormalizedNode> node() {
        return node;
    }

    /** When the fabric was changed last; empty if that is not known. */
    public Optional<Instant> changed() {
        return changed;
    }

    /** Whether state was read, too, which changes while the configuration stays as it is. */
    public boolean isWithState() {
        return withState;
    }

    /** Does the work of a request on the present thread; what it reads may arrive on any. */
    public <X extends Exception, Y extends Exception> void of(Author.Work<X, Y> work) throws X, Y {
        CURRENT.set(this);
        try {
            work.run();
        } finally {
            CURRENT.remove();
        }
    }

    /** A transaction whose reads are noted, if the present thread works on a request for which they are. */
    static DOMDataTreeReadTransaction noting(DOMDataTreeReadTransaction tx) {
        ReadNode noted = CURRENT.get();
        return noted == null ? tx : new Noting(tx, noted);
    }

    private static boolean isOurs(LogicalDatastoreType store, YangInstanceIdentifier path) {
        return store == LogicalDatastoreType.CONFIGURATION && !path.isEmpty()
            && path.getPathArguments().getFirst().getNodeType().getNamespace().toString().equals(OURS);
    }

    private record Noting(DOMDataTreeReadTransaction tx, ReadNode noted) implements DOMDataTreeReadTransaction {
        @Override
        public Object getIdentifier() {
            return tx.getIdentifier();
        }

        @Override
        public FluentFuture<Optional<NormalizedNode>> read(LogicalDatastoreType store, YangInstanceIdentifier path) {
            if (!isOurs(store, path)) {
                if (store == LogicalDatastoreType.OPERATIONAL) {
                    noted.withState = true;
                }
                return tx.read(store, path);
            }
            FluentFuture<Optional<Instant>> time = StoredTime.of(tx, path);
            return tx.read(store, path).transformAsync(read -> time.transform(known -> {
                noted.changed = known;
                noted.node = read;
                return read;
            }, MoreExecutors.directExecutor()), MoreExecutors.directExecutor());
        }

        @Override
        public FluentFuture<Boolean> exists(LogicalDatastoreType store, YangInstanceIdentifier path) {
            return tx.exists(store, path);
        }

        @Override
        public void close() {
            tx.close();
        }
    }
}
