package org.daqfabric.api;

/** A request was refused or failed; the message says why and what to change. */
public final class NotDoneException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public NotDoneException(String message) {
        super(message);
    }

    public NotDoneException(String message, Throwable cause) {
        super(message, cause);
    }
}
