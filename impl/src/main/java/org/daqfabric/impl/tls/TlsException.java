package org.daqfabric.impl.tls;

import java.io.IOException;

/** TLS cannot be had as configured. The message names setting and file and says what to change. */
public final class TlsException extends IOException {
    private static final long serialVersionUID = 1L;

    TlsException(String message) {
        super(message);
    }

    TlsException(String message, Exception cause) {
        super(message, cause);
    }
}
