package org.daqfabric.impl.engine.planning;

/** An input is missing, out of range or contradicts another; the message says what to change. */
public final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String leaf;

    public RefusedException(String leaf, String message) {
        super(message);
        this.leaf = leaf;
    }

    /** The input, by its name in the YANG module. */
    public String leaf() {
        return leaf;
    }
}
