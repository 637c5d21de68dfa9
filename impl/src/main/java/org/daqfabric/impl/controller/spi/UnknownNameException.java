package org.daqfabric.impl.controller.spi;

/** A fabric or switch was named that is not there; the message says which are. */
public final class UnknownNameException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UnknownNameException(String message) {
        super(message);
    }
}
