package org.daqfabric.impl.northbound.request;

import com.google.common.base.Throwables;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.daqfabric.impl.author.ConditionFailedException;
import org.opendaylight.mdsal.common.api.OptimisticLockFailedException;
import org.opendaylight.netconf.api.NetconfDocumentedException;
import org.opendaylight.yangtools.yang.common.ErrorTag;
import org.opendaylight.yangtools.yang.common.ErrorType;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier.NodeIdentifierWithPredicates;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier.PathArgument;
import org.opendaylight.yangtools.yang.data.tree.api.ModifiedNodeDoesNotExistException;

/** Why the datastore did not take a write, where RESTCONF does not tell. */
final class RefusedCommit {
    /** With these words the datastore gives up a transaction before it commits it; none of it is stored. */
    private static final String GIVEN_UP = "Backend timeout in state ";

    private RefusedCommit() {
    }

    /**
     * The fault of the request, if that is why it was not taken; empty if it is the server's.
     *
     * @param onContent whether the request demands that nobody has changed the node
     */
    static Optional<Fault> fault(Place addressed, Throwable failure, boolean onContent) {
        List<Throwable> chain = Throwables.getCausalChain(failure);
        Optional<Fault> condition = chain.stream().filter(ConditionFailedException.class::isInstance).findFirst()
            .map(each -> condition(addressed, (ConditionFailedException) each));
        if (condition.isPresent()) {
            return condition;
        }
        if (onContent && chain.stream().anyMatch(OptimisticLockFailedException.class::isInstance)) {
            return Optional.of(Fault.precondition(addressed,
                "somebody has changed it at the same time: read it again"));
        }
        if (chain.stream().anyMatch(OptimisticLockFailedException.class::isInstance)) {
            return Optional.of(new Fault(ErrorType.APPLICATION, ErrorTag.IN_USE, addressed.path(), addressed.shown()
                + ": another request changed it at the same time: repeat this one"));
        }
        if (chain.stream().anyMatch(RefusedCommit::isGivenUp)) {
            return Optional.of(new Fault(ErrorType.APPLICATION, ErrorTag.RESOURCE_DENIED, addressed.path(),
                addressed.shown() + ": the datastore was held up and has stored nothing of this: repeat it"));
        }
        Optional<PathArgument> missing = chain.stream().filter(ModifiedNodeDoesNotExistException.class::isInstance)
            .map(each -> ((ModifiedNodeDoesNotExistException) each).getPath().getLastPathArgument()).findFirst();
        if (missing.isPresent()) {
            return missing.map(node -> new Fault(ErrorType.APPLICATION, ErrorTag.DATA_MISSING, addressed.path(),
                addressed.shown() + ": there is no " + shown(node) + " to change anything in: create it first"));
        }
        return chain.stream().filter(NetconfDocumentedException.class::isInstance).findFirst()
            .map(refusal -> refused(addressed, (NetconfDocumentedException) refusal));
    }

    /**
     * After a write that collided with another one OpenDaylight does not go on to the next one, which waits until it is
     * given up (line 836 of its ShardDataTree, see docs/security.md).
     */
    private static boolean isGivenUp(Throwable failure) {
        return failure instanceof TimeoutException && String.valueOf(failure.getMessage()).startsWith(GIVEN_UP);
    }

    private static Fault condition(Place addressed, ConditionFailedException failed) {
        return switch (failed.kind()) {
            case UNMET -> Fault.precondition(addressed, failed.getMessage());
            case MISSING -> Fault.notFound(addressed, failed.getMessage());
            case UNKNOWN -> new Fault(ErrorType.APPLICATION, ErrorTag.RESOURCE_DENIED, addressed.path(),
                addressed.shown() + ": " + failed.getMessage() + ": repeat it");
        };
    }

    /** A list entry with its keys. */
    private static String shown(PathArgument node) {
        String keys = node instanceof NodeIdentifierWithPredicates entry ? entry.entrySet().stream()
            .map(key -> Place.key(key.getKey().getLocalName(), key.getValue().toString()))
            .collect(Collectors.joining()) : "";
        return node.getNodeType().getLocalName() + keys;
    }

    private static Fault refused(Place addressed, NetconfDocumentedException refusal) {
        return refusal.getErrorTag().equals(ErrorTag.ACCESS_DENIED)
            ? new Fault(ErrorType.APPLICATION, ErrorTag.ACCESS_DENIED, addressed.path(), addressed.shown() + ": "
                + refusal.getMessage())
            // the cohort's text begins with the node that needs what is to be deleted
            : new Fault(ErrorType.APPLICATION, ErrorTag.IN_USE, addressed.path(), refusal.getMessage());
    }
}
