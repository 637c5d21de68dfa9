package org.daqfabric.impl.tls;

import java.io.IOException;

/** TLS cannot work as configured. The message names the setting and the file and says what to change. */
public final class TlsException extends IOException {
    private static final long serialVersionUID = 1L;

    TlsException(String message) {
        super(message);
    }

    TlsException(String message, Exception cause) {
        super(message, cause);
    }
}
