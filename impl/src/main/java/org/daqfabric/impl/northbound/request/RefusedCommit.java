package org.daqfabric.impl.northbound.request;

import com.google.common.base.Throwables;
import java.util.List;
import java.util.Optional;
import org.opendaylight.mdsal.common.api.OptimisticLockFailedException;
import org.opendaylight.netconf.api.NetconfDocumentedException;
import org.opendaylight.yangtools.yang.common.ErrorTag;
import org.opendaylight.yangtools.yang.common.ErrorType;

/** Why the datastore did not take a write, where RESTCONF does not tell. */
final class RefusedCommit {
    private RefusedCommit() {
    }

    /** The fault of the request, if that is why it was not taken; empty if it is the server's. */
    static Optional<Fault> fault(Place addressed, Throwable failure) {
        List<Throwable> chain = Throwables.getCausalChain(failure);
        if (chain.stream().anyMatch(OptimisticLockFailedException.class::isInstance)) {
            return Optional.of(new Fault(ErrorType.APPLICATION, ErrorTag.IN_USE, addressed.path(), addressed.shown()
                + ": another request changed it at the same time: repeat this one"));
        }
        return chain.stream().filter(NetconfDocumentedException.class::isInstance).findFirst()
            .map(refusal -> refused(addressed, (NetconfDocumentedException) refusal));
    }

    private static Fault refused(Place addressed, NetconfDocumentedException refusal) {
        return refusal.getErrorTag().equals(ErrorTag.ACCESS_DENIED)
            ? new Fault(ErrorType.APPLICATION, ErrorTag.ACCESS_DENIED, addressed.path(), addressed.shown() + ": "
                + refusal.getMessage())
            // the cohort's text begins with the node that needs what is to be deleted
            : new Fault(ErrorType.APPLICATION, ErrorTag.IN_USE, addressed.path(), refusal.getMessage());
    }
}
