package org.daqfabric.impl.northbound;

import com.google.common.base.Throwables;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.daqfabric.api.history.FabricChanges;
import org.daqfabric.api.history.FabricVersion;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.impl.async.Causes;
import org.daqfabric.impl.async.Futures;
import org.daqfabric.impl.author.Author;
import org.daqfabric.impl.author.WriteEntry;
import org.daqfabric.impl.engine.check.InvalidInputException;
import org.daqfabric.impl.engine.history.Differ;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.ReadTransaction;
import org.opendaylight.mdsal.binding.api.ReadWriteTransaction;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.mdsal.common.api.OptimisticLockFailedException;
import org.opendaylight.netconf.api.NetconfDocumentedException;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Fabrics;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Name;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.Fabric;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.FabricKey;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.history.fabric.Version;
import org.opendaylight.yangtools.binding.DataObject;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.concepts.Registration;

/**
 * The last accepted configurations of each fabric, as the configuration datastore has them. It can be asked on every
 * member of a cluster; only the active one records.
 *
 * <p>What cannot be answered fails with an {@link InvalidInputException} that names the input: {@code fabric}, {@code
 * version}, {@code from} or {@code to}.
 */
public final class FabricHistory {
    private static final LogicalDatastoreType STORE = LogicalDatastoreType.CONFIGURATION;

    private final DataBroker broker;
    private final ConfigurationText text;
    private final int size;

    /**
     * The history that a datastore holds.
     *
     * @param size how many versions of each fabric are kept, at least 1
     */
    public FabricHistory(DataBroker broker, ConfigurationText text, int size) {
        if (size < 1) {
            throw new IllegalArgumentException("history-size is " + size + " and must be at least 1");
        }
        this.broker = broker;
        this.text = text;
        this.size = size;
    }

    /** Records every change from now on, and what changed since the last one recorded, until it is closed. */
    public Registration recording() {
        return recording(InstantSource.system());
    }

    Registration recording(InstantSource clock) {
        return new HistoryRecorder(broker, text, size, clock)::close;
    }

    /** All versions of a fabric, newest first. */
    public CompletionStage<List<FabricVersion>> versions(String fabric) {
        return read(fabric).thenApply(versions -> {
            List<FabricVersion> newestFirst = new ArrayList<>();
            versions.values().forEach(version -> newestFirst.add(HistoryTree.read(version)));
            Collections.reverse(newestFirst);
            return newestFirst;
        });
    }

    /** The configuration of a version. */
    public CompletionStage<FabricSpec> spec(String fabric, long version) {
        return read(fabric).thenApply(versions -> spec(configuration(versions, fabric, version)));
    }

    /**
     * What differs between two configurations.
     *
     * @param from the first version; empty for the present configuration
     * @param to the second one; empty for the present configuration
     */
    public CompletionStage<FabricChanges> compare(String fabric, OptionalLong from, OptionalLong to) {
        return read(fabric).thenCombine(present(fabric), (versions, present) -> Differ.compare(
            from.isPresent() ? spec(entry(versions, fabric, from.getAsLong(), "from")) : present,
            to.isPresent() ? spec(entry(versions, fabric, to.getAsLong(), "to")) : present));
    }

    /**
     * Configures a fabric as it was in a version, by a write like any other. What it replaces is read in the same
     * transaction, so that no change of somebody else at the same instant is undone by who has not seen it.
     *
     * @param seen what it may change, and nothing else; empty if it may change anything
     * @return what it changes
     */
    public CompletionStage<FabricChanges> rollBack(String fabric, long version, Author author,
            Optional<FabricChanges> seen) {
        return read(fabric).thenCompose(versions -> {
            Fabric configuration = configuration(versions, fabric, version);
            FabricSpec then = spec(configuration);
            ReadWriteTransaction tx = broker.newReadWriteTransaction();
            return Futures.completable(tx.read(STORE, path(fabric))).thenCompose(present -> {
                FabricChanges changes = Differ.compare(present.flatMap(FabricHistory::readable), Optional.of(then));
                if (seen.isPresent() && !seen.get().equals(changes)) {
                    throw changedMeanwhile(fabric, version);
                }
                tx.put(STORE, path(fabric), configuration);
                WriteEntry.add(tx, author.orReason("roll-back to version " + version));
                return Futures.completable(tx.commit()).<FabricChanges>handle((done, failure) -> {
                    if (failure != null) {
                        throw refusal(fabric, version, Causes.of(failure));
                    }
                    return changes;
                });
            }).whenComplete((done, failure) -> tx.cancel());
        });
    }

    private static InvalidInputException changedMeanwhile(String fabric, long version) {
        return new InvalidInputException("version", "nothing was changed: somebody else has changed " + fabric
            + " meanwhile. Look again at what version " + version + " would change, and repeat it if that is meant");
    }

    /** Why a version was not written: the checks' own words if they refused it. */
    private static RuntimeException refusal(String fabric, long version, Throwable failure) {
        List<Throwable> causes = Throwables.getCausalChain(failure);
        if (causes.stream().anyMatch(OptimisticLockFailedException.class::isInstance)) {
            return changedMeanwhile(fabric, version);
        }
        return causes.stream().filter(NetconfDocumentedException.class::isInstance)
            .findFirst().<RuntimeException>map(refused -> new InvalidInputException("version",
                "version " + version + " is refused as it would be now: " + refused.getMessage()))
            .orElseGet(() -> new CompletionException("version " + version + " could not be written", failure));
    }

    private CompletionStage<SortedMap<Long, Version>> read(String fabric) {
        return stored(HistoryTree.path(fabric)).thenApply(history -> {
            SortedMap<Long, Version> versions = HistoryTree.versions(history);
            if (versions.isEmpty()) {
                throw new InvalidInputException("fabric", "there is no history of a fabric '" + fabric
                    + "': only fabrics that are or were configured have one");
            }
            return versions;
        });
    }

    private CompletionStage<Optional<FabricSpec>> present(String fabric) {
        return stored(path(fabric)).thenApply(configured -> configured.flatMap(FabricHistory::readable));
    }

    private static Optional<FabricSpec> readable(Fabric configured) {
        return FabricReader.read(configured).spec();
    }

    private <T extends DataObject> CompletionStage<Optional<T>> stored(DataObjectIdentifier<T> path) {
        // open until it is read: OpenDaylight may drop the answer to a transaction that was closed
        ReadTransaction tx = broker.newReadOnlyTransaction();
        return Futures.completable(tx.read(STORE, path)).whenComplete((tree, failure) -> tx.close());
    }

    private static DataObjectIdentifier<Fabric> path(String fabric) {
        return DataObjectIdentifier.builder(Fabrics.class).child(Fabric.class, new FabricKey(new Name(fabric)))
            .build();
    }

    private static Version entry(SortedMap<Long, Version> versions, String fabric, long number, String leaf) {
        Version version = versions.get(number);
        if (version == null) {
            throw new InvalidInputException(leaf, "there is no version " + number + " of " + fabric
                + ": its history has " + (versions.size() == 1 ? "version " + versions.firstKey()
                : versions.firstKey() + " to " + versions.lastKey()));
        }
        return version;
    }

    private Fabric configuration(SortedMap<Long, Version> versions, String fabric, long number) {
        byte[] configuration = entry(versions, fabric, number, "version").getConfiguration();
        if (configuration == null) {
            throw new InvalidInputException("version", "version " + number + " is the removal of " + fabric
                + ": name a version before it, or remove the fabric by a DELETE");
        }
        return text.unpack(configuration);
    }

    private Optional<FabricSpec> spec(Version version) {
        return Optional.ofNullable(version.getConfiguration()).map(text::unpack).map(FabricHistory::spec);
    }

    private static FabricSpec spec(Fabric fabric) {
        FabricReader.Result read = FabricReader.read(fabric);
        return read.spec().orElseThrow(() -> new IllegalStateException("a version of " + fabric.requireName().getValue()
            + " cannot be read: " + ProblemText.of(read.problems())));
    }
}
