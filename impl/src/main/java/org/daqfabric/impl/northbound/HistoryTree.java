package org.daqfabric.impl.northbound;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.history.FabricVersion;
import org.opendaylight.mdsal.binding.api.WriteTransaction;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Name;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.History;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.history.Fabric;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.history.FabricBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.history.FabricKey;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.history.fabric.Version;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.history.fabric.VersionBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.history.fabric.VersionKey;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.yang.common.Uint32;

/** The versions of fabrics as nodes of the datastore, and back. */
final class HistoryTree {
    private HistoryTree() {
    }

    static DataObjectIdentifier<History> all() {
        return DataObjectIdentifier.builder(History.class).build();
    }

    static DataObjectIdentifier<Fabric> path(String fabric) {
        return DataObjectIdentifier.builder(History.class).child(Fabric.class, new FabricKey(new Name(fabric)))
            .build();
    }

    static DataObjectIdentifier<Version> path(String fabric, long version) {
        return path(fabric).toBuilder().child(Version.class, new VersionKey(Uint32.valueOf(version))).build();
    }

    /** Makes sure that a fabric has a history to add versions to, and says when it was changed. */
    static void begin(WriteTransaction tx, String fabric, Instant changed) {
        tx.merge(LogicalDatastoreType.CONFIGURATION, path(fabric),
            new FabricBuilder().setName(new Name(fabric)).setChanged(StateTree.time(changed)).build());
    }

    /** When a fabric was changed; empty if that cannot be read. */
    static Optional<Instant> changed(Fabric history) {
        try {
            return Optional.ofNullable(history.getChanged())
                .map(time -> OffsetDateTime.parse(time.getValue()).toInstant());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    static Version version(FabricVersion version, Optional<byte[]> configuration) {
        return new VersionBuilder()
            .setNumber(Uint32.valueOf(version.number()))
            .setTime(StateTree.time(version.time()))
            .setUser(version.user().orElse(null))
            .setReason(version.reason().orElse(null))
            .setSummary(version.summary())
            .setConfiguration(configuration.orElse(null))
            .build();
    }

    /** The versions of a fabric by their numbers; none if there is no history. */
    static SortedMap<Long, Version> versions(Optional<Fabric> history) {
        SortedMap<Long, Version> versions = new TreeMap<>();
        history.ifPresent(fabric -> fabric.nonnullVersion().values().forEach(version ->
            versions.put(version.requireNumber().toJava(), version)));
        return versions;
    }

    static FabricVersion read(Version version) {
        return new FabricVersion(version.requireNumber().toJava(),
            OffsetDateTime.parse(version.requireTime().getValue()).toInstant(),
            Optional.ofNullable(version.getUser()), Optional.ofNullable(version.getReason()),
            version.requireSummary(), version.getConfiguration() == null);
    }
}
