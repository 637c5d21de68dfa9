package org.daqfabric.it.sim;

/** An OpenFlow error: what a switch answers in place of doing what it was asked. */
final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int type;
    private final int code;

    Refused(final int type, final int code) {
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
