package org.daqfabric.impl.author;

/** A request was not carried out, as what it demands of the node that it is about does not hold. */
public final class ConditionFailedException extends Exception {
    private static final long serialVersionUID = 1;

    private final Kind kind;

    /** Why it was not. */
    public enum Kind {
        /** The node is not as the request demands. */
        UNMET,
        /** There is no entry of a list that the request changes something in. */
        MISSING,
        /** The datastore does not say at this moment how the node is. */
        UNKNOWN
    }

    ConditionFailedException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
