package org.daqfabric.impl.openflow;

import java.io.IOException;

/** A switch did not answer, or not whole: it is not connected, went away, or hangs. */
final class SwitchLostException extends IOException {
    private static final long serialVersionUID = 1L;

    SwitchLostException(final long datapathId, final String why) {
        super(Nodes.name(datapathId) + ": " + why);
    }

    SwitchLostException(final long datapathId, final String why, final Throwable cause) {
        super(Nodes.name(datapathId) + ": " + why, cause);
    }
}
