package org.daqfabric.impl.openflow;

import java.io.IOException;

/** A switch did not answer, or not completely: it is not connected, has disconnected, or hangs. */
final class SwitchLostException extends IOException {
    private static final long serialVersionUID = 1L;

    SwitchLostException(final long datapathId, final String why) {
        super("datapath %016x: ".formatted(datapathId) + why);
    }

    SwitchLostException(final long datapathId, final String why, final Throwable cause) {
        super("datapath %016x: ".formatted(datapathId) + why, cause);
    }
}
