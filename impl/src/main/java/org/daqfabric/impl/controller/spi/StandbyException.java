package org.daqfabric.impl.controller.spi;

/** This controller is not active, or just stops to be so; the message says which one is, or to ask again. */
public final class StandbyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StandbyException(String message) {
        super(message);
    }
}
