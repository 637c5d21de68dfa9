package org.daqfabric.impl.platform;

import java.nio.file.Path;
import org.daqfabric.impl.tls.TlsException;
import org.daqfabric.impl.tls.TlsIdentity;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.config.rev140630.KeystoreType;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.config.rev140630.PathType;
import org.opendaylight.yang.gen.v1.urn.opendaylight.params.xml.ns.yang.openflow._switch.connection.config.rev160506._switch.connection.config.Tls;
import org.opendaylight.yang.gen.v1.urn.opendaylight.params.xml.ns.yang.openflow._switch.connection.config.rev160506._switch.connection.config.TlsBuilder;

/** Passes the operator's certificates to the OpenFlow library, which reads key stores for every new connection. */
final class OpenFlowTls {
    /** Relative to the folder of Karaf, as for the library. */
    static final Path FOLDER = Path.of("data", "daqfabric");

    private OpenFlowTls() {
    }

    /** Writes the key stores and returns the library's settings for them. */
    static Tls write(final TlsIdentity identity, final Path folder) throws TlsException {
        final var keys = folder.resolve("openflow-key.p12");
        final var trusted = folder.resolve("openflow-ca.p12");
        identity.writeKeyStore(keys);
        identity.writeTrustStore(trusted);
        return new TlsBuilder()
            .setKeystore(keys.toString()).setKeystoreType(KeystoreType.PKCS12).setKeystorePathType(PathType.PATH)
            .setKeystorePassword("").setCertificatePassword("")
            .setTruststore(trusted.toString()).setTruststoreType(KeystoreType.PKCS12)
            .setTruststorePathType(PathType.PATH).setTruststorePassword("")
            .build();
    }
}
