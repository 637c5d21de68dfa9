package org.daqfabric.it.sim;

/** The OpenFlow error with which a switch answers a message that it refuses. */
final class OpenFlowError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int type;
    private final int code;

    OpenFlowError(final int type, final int code) {
        super("OpenFlow error " + type + "/" + code, null, false, false);
        this.type = type;
        this.code = code;
    }

    int type() {
        return type;
    }

    int code() {
        return code;
    }
}
