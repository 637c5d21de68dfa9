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
 * @param status of its answer (RFC 8040, section 7)
 */
record Fault(ErrorType type, ErrorTag tag, String path, String message, int status) {
    private static final Map<ErrorTag, Integer> STATUSES = Map.of(ErrorTag.IN_USE, 409, ErrorTag.RESOURCE_DENIED, 409,
        ErrorTag.ACCESS_DENIED, 403, ErrorTag.DATA_MISSING, 404, ErrorTag.TOO_BIG, 413);

    private static final int NOT_FOUND = 404;
    private static final int PRECONDITION_FAILED = 412;
    private static final int INSUFFICIENT_STORAGE = 507;

    /** One with the status that its tag has. */
    Fault(ErrorType type, ErrorTag tag, String path, String message) {
        this(type, tag, path, message, STATUSES.getOrDefault(tag, 400));
    }

    /** What the request demands of a node before it changes anything does not hold. */
    static Fault precondition(Place place, String message) {
        return new Fault(ErrorType.APPLICATION, ErrorTag.OPERATION_FAILED, place.path(), place.shown() + ": " + message,
            PRECONDITION_FAILED);
    }

    /** There is nothing where the request changes something. */
    static Fault notFound(Place place, String message) {
        return new Fault(ErrorType.APPLICATION, ErrorTag.INVALID_VALUE, place.path(), place.shown() + ": " + message,
            NOT_FOUND);
    }

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

    /** There is no space to store what is asked, until somebody makes some. */
    static Fault noSpace(String message) {
        return new Fault(ErrorType.APPLICATION, ErrorTag.RESOURCE_DENIED, "", message, INSUFFICIENT_STORAGE);
    }

    /** What tells a program that it may ask again, as no other refusal does. */
    Optional<String> applicationTag() {
        return tag.equals(ErrorTag.RESOURCE_DENIED) && status != INSUFFICIENT_STORAGE ? Optional.of("try-again")
            : Optional.empty();
    }
}
