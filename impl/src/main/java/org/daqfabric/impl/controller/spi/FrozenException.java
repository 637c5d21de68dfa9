package org.daqfabric.impl.controller.spi;

/** An operation that is refused while a run, or another change, is in progress; the message says what to do. */
public final class FrozenException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public FrozenException(String message) {
        super(message);
    }
}
