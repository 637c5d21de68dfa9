package org.daqfabric.impl.controller.spi;

/** Something that must not be done while a run goes on, and what to do about it. */
public final class FrozenException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public FrozenException(String message) {
        super(message);
    }
}
