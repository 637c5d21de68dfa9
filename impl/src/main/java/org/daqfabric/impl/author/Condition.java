package org.daqfabric.impl.author;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.daqfabric.impl.async.Causes;
import org.daqfabric.impl.author.ConditionFailedException.Kind;
import org.eclipse.jdt.annotation.Nullable;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.mdsal.dom.api.DOMDataTreeReadWriteTransaction;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier;
import org.opendaylight.yangtools.yang.data.api.schema.ContainerNode;
import org.opendaylight.yangtools.yang.data.api.schema.NormalizedNode;

/**
 * What a request demands of the node that its address names before it changes anything (RFC 9110, section 13), and of
 * the list entries on the way there: PATCH makes none (RFC 8040, section 4.6.1). It is looked at in the transaction
 * that changes the node.
 *
 * @param ifMatch the header, null if there is none
 * @param ifNoneMatch the header, null if there is none
 * @param unmodifiedSince empty if nothing is demanded
 * @param depth arguments of the path of the node that the address names
 * @param entry arguments of the path of the last list entry that must exist; 0 if none must
 */
public record Condition(@Nullable String ifMatch, @Nullable String ifNoneMatch, Optional<Instant> unmodifiedSince,
        int depth, int entry) {
    private static final LogicalDatastoreType STORE = LogicalDatastoreType.CONFIGURATION;
    private static final long LIMIT_SECONDS = 10;
    private static final ThreadLocal<Condition> CURRENT = new ThreadLocal<>();

    /**
     * What headers demand.
     *
     * @param unmodifiedSince the header, null if there is none; one that is no date demands nothing
     */
    public static Condition of(@Nullable String ifMatch, @Nullable String ifNoneMatch,
            @Nullable String unmodifiedSince, int depth, int entry) {
        return new Condition(ifMatch, ifNoneMatch, ifMatch == null ? date(unmodifiedSince) : Optional.empty(), depth,
            entry);
    }

    private static Optional<Instant> date(@Nullable String header) {
        try {
            return header == null ? Optional.empty()
                : Optional.of(ZonedDateTime.parse(header, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** That of the request which the present thread works on; empty if it demands nothing. */
    static Optional<Condition> current() {
        return Optional.ofNullable(CURRENT.get());
    }

    /** Whether it is demanded that nobody has changed the node. */
    public boolean isOnContent() {
        return ifMatch != null || ifNoneMatch != null || unmodifiedSince.isPresent();
    }

    /** Does the work of a request on the present thread. */
    public <X extends Exception, Y extends Exception> void of(Author.Work<X, Y> work) throws X, Y {
        if (!isOnContent() && entry == 0) {
            work.run();
            return;
        }
        CURRENT.set(this);
        try {
            work.run();
        } finally {
            CURRENT.remove();
        }
    }

    /** Whether the node that the address names can be told from the path of a change. */
    boolean isToldBy(YangInstanceIdentifier path) {
        return path.getPathArguments().size() >= depth;
    }

    /**
     * Looks at the node before the first change of it. If it is there, it is written as it is, so that the transaction
     * fails if somebody else changes it meanwhile: merges alone would not.
     *
     * @param change path of that change
     * @return why nothing must be changed; empty if all that is demanded holds
     */
    Optional<ConditionFailedException> refusal(DOMDataTreeReadWriteTransaction tx, YangInstanceIdentifier change) {
        try {
            if (entry > 0 && !tx.exists(STORE, first(change, entry)).get(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                return Optional.of(new ConditionFailedException(Kind.MISSING,
                    "there is no such entry to change: PUT creates it"));
            }
            if (!isOnContent()) {
                return Optional.empty();
            }
            YangInstanceIdentifier path = first(change, depth);
            if (unmodifiedSince.isPresent() && !StoredTime.isComplete(tx).get(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                return Optional.of(new ConditionFailedException(Kind.UNMET,
                    "somebody has changed something just now (If-Unmodified-Since): read it again"));
            }
            Optional<NormalizedNode> node = tx.read(STORE, path).get(LIMIT_SECONDS, TimeUnit.SECONDS);
            Optional<String> failed = failed(node, unmodifiedSince.isEmpty() ? Optional.empty()
                : StoredTime.of(tx, path).get(LIMIT_SECONDS, TimeUnit.SECONDS));
            if (failed.isEmpty()) {
                node.ifPresent(present -> keep(tx, path, present));
            }
            return failed.map(why -> new ConditionFailedException(Kind.UNMET, why));
        } catch (ExecutionException | TimeoutException e) {
            return Optional.of(new ConditionFailedException(Kind.UNKNOWN, "the datastore does not say what is there: "
                + Causes.inWords(e)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of(new ConditionFailedException(Kind.UNKNOWN, "the controller ends"));
        }
    }

    /** Writes a node as it is; what the controller stores for itself beside fabrics it may change meanwhile. */
    private static void keep(DOMDataTreeReadWriteTransaction tx, YangInstanceIdentifier path, NormalizedNode node) {
        if (path.equals(StoredTime.FABRICS)) {
            ((ContainerNode) node).body().stream().filter(child -> !EntityTag.isOfTheController(child))
                .forEach(child -> tx.put(STORE, path.node(child.name()), child));
        } else {
            tx.put(STORE, path, node);
        }
    }

    /** What does not hold; empty if all does. */
    Optional<String> failed(Optional<NormalizedNode> node, Optional<Instant> changed) {
        if (ifMatch != null && !EntityTag.isIn(ifMatch, node)) {
            return Optional.of(node.isEmpty() ? "it does not exist (If-Match)"
                : "somebody has changed it since (If-Match): read it again");
        }
        if (unmodifiedSince.isPresent() && changed.map(time -> time.truncatedTo(ChronoUnit.SECONDS)
                .isAfter(unmodifiedSince.get())).orElse(node.isPresent())) {
            return Optional.of(changed.isPresent()
                ? "somebody has changed it since (If-Unmodified-Since): read it again"
                : "when it was changed is not known: use If-Match instead of If-Unmodified-Since");
        }
        if (ifNoneMatch != null && EntityTag.isIn(ifNoneMatch, node)) {
            return Optional.of("it exists (If-None-Match)");
        }
        return Optional.empty();
    }

    private static YangInstanceIdentifier first(YangInstanceIdentifier path, int arguments) {
        return YangInstanceIdentifier.of(path.getPathArguments().subList(0, arguments));
    }
}
