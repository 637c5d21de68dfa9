package org.daqfabric.impl.northbound.request;

import java.util.Map;
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
        ErrorTag.ACCESS_DENIED, 403);

    /** A request that cannot be understood. */
    static Fault protocol(ErrorTag tag, Place place, String message) {
        return new Fault(ErrorType.PROTOCOL, tag, place.path(), place.shown() + ": " + message);
    }

    /** The status of its answer (RFC 8040, section 7). */
    int status() {
        return STATUSES.getOrDefault(tag, 400);
    }
}
