package org.daqfabric.impl.ovsdb;

import java.net.InetAddress;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import org.daqfabric.impl.engine.doctor.DiagnosisInput;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Cause;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.SystemRow;
import org.eclipse.jdt.annotation.Nullable;

/**
 * The state of a node at this moment, for a diagnosis.
 *
 * @param bfd by port; empty unless the node answered
 */
public record NodeReport(DiagnosisInput.Node node, SortedMap<String, DiagnosisInput.Bfd> bfd) {
    /**
     * Of a node that is not connected.
     *
     * @param seen whether it was ever connected
     * @param lastError why it is not connected any more, or cannot be reached
     * @param duplicateAddress of another peer that named its system-id
     * @param cause what its rows said last that keeps it away
     */
    static NodeReport disconnected(String systemId, boolean seen, String lastError, String duplicateAddress,
            Optional<Cause> cause) {
        return new NodeReport(new DiagnosisInput.Node(systemId, false, false, seen, "", "", false, lastError,
            duplicateAddress, "", Set.of(), List.of(), cause), Collections.emptySortedMap());
    }

    /** Of a node that is connected and in no fabric: it is not asked. */
    static NodeReport idle(String systemId, OvsdbSession session, String duplicateAddress) {
        return connected(systemId, session, new ConnectionHealth(List.of(), Collections.emptySortedMap()),
            duplicateAddress);
    }

    /**
     * Of a node that is connected.
     *
     * @param health null if the node did not answer in time
     */
    static NodeReport connected(String systemId, OvsdbSession session, @Nullable ConnectionHealth health,
            String duplicateAddress) {
        InetAddress own = session.connection().localAddress();
        Optional<SystemRow> system = Optional.ofNullable(session.snapshot()).flatMap(OvsdbSnapshot::system);
        return new NodeReport(new DiagnosisInput.Node(systemId, true, health == null, true,
            session.connection().remote().getAddress().getHostAddress(), own.getHostAddress(), own.isLoopbackAddress(),
            "", duplicateAddress, system.map(SystemRow::ovsVersion).orElse(""),
            system.map(SystemRow::interfaceTypes).orElse(Collections.emptySortedSet()),
            health == null ? List.of() : health.controllers(), system.flatMap(SiteSettings::cause)),
            health == null ? Collections.emptySortedMap() : health.bfd());
    }
}
