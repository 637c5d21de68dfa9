package org.daqfabric.impl;

import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.daqfabric.impl.DaqFabric.Configuration;
import org.daqfabric.impl.controller.FabricManager;
import org.daqfabric.impl.engine.identity.NodeCertificate;
import org.daqfabric.impl.ovsdb.OvsdbSettings;
import org.daqfabric.impl.ovsdb.OvsdbSettings.Limits;
import org.daqfabric.impl.ovsdb.OvsdbSettings.Timing;
import org.daqfabric.impl.ovsdb.OvsdbSettings.Tls;
import org.daqfabric.impl.tls.TlsException;
import org.daqfabric.impl.tls.TlsFiles;
import org.daqfabric.impl.tls.TlsIdentity;

/** What {@code etc/org.daqfabric.cfg} says of OVSDB. */
final class OvsdbConfiguration {
    private OvsdbConfiguration() {
    }

    static OvsdbSettings settings(Configuration configuration, FabricManager manager, int members)
            throws TlsException {
        Set<String> controllers = new TreeSet<>();
        Arrays.stream(configuration.openflow$_$controllers().split(",")).map(String::trim)
            .filter(target -> !target.isEmpty()).forEach(controllers::add);
        return new OvsdbSettings(DaqFabric.ovsdbAddress(configuration, configuration.ovsdb$_$port()),
            configuration.openflow$_$port(), controllers, tls(configuration, manager), Limits.USUAL, Timing.USUAL,
            members);
    }

    private static Optional<Tls> tls(Configuration configuration, FabricManager manager) throws TlsException {
        Optional<TlsFiles> files = tlsFiles(configuration);
        if (files.isEmpty()) {
            return Optional.empty();
        }
        if (configuration.openflow$_$tls$_$port() == 0 && configuration.openflow$_$controllers().isBlank()) {
            throw new IllegalArgumentException("TLS files are set, but openflow-tls-port is not, so that switches"
                + " with OVSDB over TLS would have no OpenFlow controller: set it, for example to 6653 if"
                + " openflow-port is 0");
        }
        return Optional.of(new Tls(TlsIdentity.read(files.get()).context(),
            DaqFabric.ovsdbAddress(configuration, configuration.ovsdb$_$tls$_$port()),
            configuration.openflow$_$tls$_$port(),
            systemId -> NodeCertificate.nameOf(manager.specs().values(), systemId)));
    }

    static Optional<TlsFiles> tlsFiles(Configuration configuration) throws TlsException {
        String key = configuration.tls$_$private$_$key();
        String certificate = configuration.tls$_$certificate();
        String ca = configuration.tls$_$ca$_$certificate();
        return configuration.ovsdb$_$tls$_$port() == 0 ? TlsFiles.of(key, certificate, ca)
            : Optional.of(TlsFiles.needed("ovsdb-tls-port", key, certificate, ca));
    }
}
