package org.daqfabric.impl.tls;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The PEM files that the operator names in {@code etc/org.daqfabric.cfg}: the same as for {@code ovs-vsctl set-ssl}.
 */
public record TlsFiles(Path privateKey, Path certificate, Path caCertificate) {
    static final String PRIVATE_KEY = "tls-private-key";
    static final String CERTIFICATE = "tls-certificate";
    static final String CA_CERTIFICATE = "tls-ca-certificate";

    /**
     * The files of the three settings; empty if none is set.
     *
     * @throws TlsException if only some are set
     */
    public static Optional<TlsFiles> of(String privateKey, String certificate, String caCertificate)
            throws TlsException {
        if (privateKey.isBlank() && certificate.isBlank() && caCertificate.isBlank()) {
            return Optional.empty();
        }
        return Optional.of(new TlsFiles(path(PRIVATE_KEY, privateKey), path(CERTIFICATE, certificate),
            path(CA_CERTIFICATE, caCertificate)));
    }

    /** The three files, for a setting that needs them. */
    public static TlsFiles needed(String setting, String privateKey, String certificate, String caCertificate)
            throws TlsException {
        return of(privateKey, certificate, caCertificate).orElseThrow(() -> new TlsException(setting + " is set, but "
            + PRIVATE_KEY + ", " + CERTIFICATE + " and " + CA_CERTIFICATE + " are not: set these, or " + setting
            + " to 0"));
    }

    private static Path path(String setting, String value) throws TlsException {
        if (value.isBlank()) {
            throw new TlsException(setting + " is not set, but TLS needs all of " + PRIVATE_KEY + ", " + CERTIFICATE
                + " and " + CA_CERTIFICATE + ": set it, or none of them");
        }
        return Path.of(value.trim());
    }
}
