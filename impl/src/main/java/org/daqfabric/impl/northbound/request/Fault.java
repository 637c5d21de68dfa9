package org.daqfabric.impl.northbound.request;

import java.util.Map;
import java.util.Optional;
import org.opendaylight.yangtools.yang.common.ErrorTag;
import org.opendaylight.yangtools.yang.common.ErrorType;

/**
 * What is wrong with a request.
 *
 * @param type which layer says so
 * @param tag what kind of error it is, which determines the status
 * @param path the instance path of the node it is about
 * @param message begins with the node, and says what to change
 */
record Fault(ErrorType type, ErrorTag tag, String path, String message) {
    private static final Map<ErrorTag, Integer> STATUSES = Map.of(ErrorTag.IN_USE, 409, ErrorTag.RESOURCE_DENIED, 409,
        ErrorTag.ACCESS_DENIED, 403, ErrorTag.DATA_MISSING, 409);

    /** A request that cannot be understood. */
    static Fault protocol(ErrorTag tag, Place place, String message) {
        return new Fault(ErrorType.PROTOCOL, tag, place.path(), place.shown() + ": " + message);
    }

    /**
     * A request that could be answered at another moment.
     *
     * @param message says so, and begins with what is asked
     */
    static Fault tryAgain(String message) {
        return new Fault(ErrorType.APPLICATION, ErrorTag.RESOURCE_DENIED, "", message);
    }

    /** What tells a program that it may ask again, as no other refusal does. */
    Optional<String> applicationTag() {
        return tag.equals(ErrorTag.RESOURCE_DENIED) ? Optional.of("try-again") : Optional.empty();
    }

    /** The status of its answer (RFC 8040, section 7). */
    int status() {
        return STATUSES.getOrDefault(tag, 400);
    }
}
