package org.daqfabric.impl.controller.spi;

/** Another member of the cluster is active; the message names it. */
public final class StandbyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StandbyException(String message) {
        super(message);
    }
}
