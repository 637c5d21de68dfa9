package org.daqfabric.impl.author;

/** A request was not carried out, as what it demands of the node that it is about does not hold. */
public final class ConditionFailedException extends Exception {
    private static final long serialVersionUID = 1;

    private final boolean missing;

    /**
     * Creates it.
     *
     * @param missing whether the node is not there, and the request demands nothing else
     */
    ConditionFailedException(String message, boolean missing) {
        super(message);
        this.missing = missing;
    }

    public boolean isMissing() {
        return missing;
    }
}
