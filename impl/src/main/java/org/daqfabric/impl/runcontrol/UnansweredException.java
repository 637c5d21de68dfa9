package org.daqfabric.impl.runcontrol;

/** Run control has ended before a request was answered; the message says to ask again. */
public final class UnansweredException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnansweredException() {
        super("the controller stops, begins its fabrics again, or another one has become active: ask again in a second,"
            + " with the same request-id");
    }
}
