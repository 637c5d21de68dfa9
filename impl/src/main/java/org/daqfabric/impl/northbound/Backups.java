package org.daqfabric.impl.northbound;

import com.google.common.base.Throwables;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.daqfabric.api.FabricBackup;
import org.daqfabric.api.RestoreResult;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.impl.async.Causes;
import org.daqfabric.impl.async.Futures;
import org.daqfabric.impl.controller.spi.ConfigListener;
import org.daqfabric.impl.controller.spi.FrozenException;
import org.daqfabric.impl.controller.spi.Installation;
import org.daqfabric.impl.engine.check.InvalidInputException;
import org.daqfabric.impl.engine.check.Location;
import org.daqfabric.impl.engine.check.Problem;
import org.daqfabric.impl.runcontrol.FrozenFabrics;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.mdsal.common.api.OptimisticLockFailedException;
import org.opendaylight.mdsal.dom.api.DOMDataBroker;
import org.opendaylight.mdsal.dom.api.DOMDataTreeReadOperations;
import org.opendaylight.mdsal.dom.api.DOMDataTreeReadTransaction;
import org.opendaylight.mdsal.dom.api.DOMDataTreeReadWriteTransaction;
import org.opendaylight.mdsal.dom.api.DOMDataTreeWriteTransaction;
import org.opendaylight.netconf.api.NetconfDocumentedException;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Fabrics;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Name;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.Fabric;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.FabricKey;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.Partitions;
import org.opendaylight.yangtools.binding.DataObject;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.binding.data.codec.api.BindingNormalizedNodeSerializer;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier;
import org.opendaylight.yangtools.yang.data.api.schema.NormalizedNode;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;

/**
 * Writes all that is stored to one text, and takes such a text up: configuration and decisions in one transaction,
 * while nothing runs that could act on one of them without the other.
 */
public final class Backups {
    private static final LogicalDatastoreType STORE = LogicalDatastoreType.CONFIGURATION;
    private static final DataObjectIdentifier<Fabrics> FABRICS = DataObjectIdentifier.builder(Fabrics.class).build();
    private static final DataObjectIdentifier<Partitions> PARTITIONS =
        DataObjectIdentifier.builder(Partitions.class).build();
    private static final Duration ANSWER = Duration.ofSeconds(5);

    private final DOMDataBroker broker;
    private final StoredTrees trees;
    private final StoredContents contents;
    private final ConfigListener fabrics;
    private final Restart restart;
    private final String version;
    private final InstantSource clock;
    private final Supplier<Optional<String>> full;
    private final Duration patience;

    /** Ends fabrics and run control, and begins them again from what is stored then. */
    @FunctionalInterface
    public interface Restart {
        /**
         * Carries out a task while they do not run.
         *
         * @return what the task returns, once they have begun again; fails if this controller is not active
         */
        <T> CompletionStage<T> around(Supplier<CompletionStage<T>> task);
    }

    /** What is stored already. */
    private record Present(Optional<Fabrics> fabrics, Optional<Partitions> partitions, Optional<Installation> own) {
    }

    /**
     * Creates it.
     *
     * @param fabrics is told what was restored before the fabrics begin again
     * @param version of daqfabric, for the head of backups
     * @param full why there is no space to restore anything; empty if there is
     */
    public Backups(DOMDataBroker broker, BindingNormalizedNodeSerializer serializer,
            Supplier<EffectiveModelContext> model, ConfigListener fabrics, Restart restart, String version,
            InstantSource clock, Supplier<Optional<String>> full) {
        this(broker, serializer, model, fabrics, restart, version, clock, full, ANSWER);
    }

    /**
     * Creates it.
     *
     * @param patience how long the datastore may take to answer before anything is ended
     */
    Backups(DOMDataBroker broker, BindingNormalizedNodeSerializer serializer, Supplier<EffectiveModelContext> model,
            ConfigListener fabrics, Restart restart, String version, InstantSource clock,
            Supplier<Optional<String>> full, Duration patience) {
        this.broker = broker;
        trees = new StoredTrees(model);
        contents = new StoredContents(serializer, model);
        this.fabrics = fabrics;
        this.restart = restart;
        this.version = version;
        this.clock = clock;
        this.full = full;
        this.patience = patience;
    }

    /** All that is stored at this moment. */
    public CompletionStage<FabricBackup> take() {
        DOMDataTreeReadTransaction tx = broker.newReadOnlyTransaction();
        return trees.read(tx).whenComplete((content, failure) -> tx.close()).thenApply(content -> {
            BackupDocument document = BackupDocument.of(clock.instant(), version, trees.modules(), content);
            return new FabricBackup(document.text(), document.contents());
        });
    }

    /**
     * Stores what a backup holds, all or nothing, and begins from it.
     *
     * @param replace whether to replace fabrics that are configured already
     * @return fails with an {@link InvalidInputException} or {@link FrozenException} if it is refused
     */
    public CompletionStage<RestoreResult> restore(String text, boolean replace) {
        return CompletableFuture.completedFuture(text).thenApply(BackupDocument::parse).thenCompose(document -> {
            Map<YangInstanceIdentifier, NormalizedNode> nodes = trees.parse(document.content());
            List<FabricSpec> specs = checked(nodes);
            contents.check(nodes);
            RestoreResult result = new RestoreResult(document.contents(), document.warnings(trees.modules()));
            return answered(permitted(specs, replace).thenCompose(permitted -> takesAWrite()))
                .thenCompose(permitted -> restart.around(() -> write(nodes, specs, replace)))
                .thenApply(written -> result);
        });
    }

    /** The fabrics of a backup, which must be valid by themselves. */
    private List<FabricSpec> checked(Map<YangInstanceIdentifier, NormalizedNode> nodes) {
        CheckedFabrics checked = CheckedFabrics.of(contents.binding(FABRICS, nodes.get(contents.path(FABRICS)))
            .map(all -> all.nonnullFabric().values()).orElse(List.of()));
        if (!checked.problems().isEmpty()) {
            throw new InvalidInputException(checked.problems());
        }
        return checked.specs();
    }

    private CompletableFuture<Void> permitted(List<FabricSpec> specs, boolean replace) {
        full.get().ifPresent(why -> {
            throw new FrozenException(why);
        });
        DOMDataTreeReadTransaction tx = broker.newReadOnlyTransaction();
        return present(tx).whenComplete((present, failure) -> tx.close())
            .thenAccept(present -> refuse(present, specs, replace));
    }

    /** One without effect: the fabrics would be ended for as long as the datastore takes none. */
    private CompletableFuture<Void> takesAWrite() {
        DOMDataTreeWriteTransaction tx = broker.newWriteOnlyTransaction();
        tx.delete(STORE, contents.path(DataObjectIdentifier.builder(Fabrics.class)
            .child(Fabric.class, new FabricKey(new Name(UUID.randomUUID().toString()))).build()));
        return Futures.<Object>completable(tx.commit()).handle((done, failure) -> {
            if (failure != null) {
                throw unanswered(Causes.inWords(failure), failure);
            }
            return null;
        });
    }

    /** What is asked of the datastore before anything is ended, which it may never answer. */
    private CompletableFuture<Void> answered(CompletableFuture<Void> asked) {
        return asked.orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS).exceptionally(failure -> {
            throw Causes.of(failure) instanceof TimeoutException
                ? unanswered("no answer for " + patience.toSeconds() + " s", failure)
                : new CompletionException(Causes.of(failure));
        });
    }

    private static IllegalStateException unanswered(String why, Throwable failure) {
        return new IllegalStateException("nothing was restored, and no fabric ended, as the datastore does not take a"
            + " write: " + why, failure);
    }

    private CompletionStage<Void> write(Map<YangInstanceIdentifier, NormalizedNode> nodes, List<FabricSpec> specs,
            boolean replace) {
        DOMDataTreeReadWriteTransaction tx = broker.newReadWriteTransaction();
        return present(tx).thenCompose(present -> {
            refuse(present, specs, replace);
            trees.write(tx, nodes);
            present.own().ifPresent(own -> tx.put(STORE, contents.path(DatastoreInstallationStore.PATH),
                contents.node(DatastoreInstallationStore.PATH, DatastoreInstallationStore.tree(own.restored(
                    contents.binding(DatastoreInstallationStore.PATH, nodes.get(contents.path(
                        DatastoreInstallationStore.PATH))).map(DatastoreInstallationStore::read),
                    DatastoreInstallationStore.fresh())))));
            return Futures.completable(tx.commit());
        }).handle((done, failure) -> {
            if (failure != null) {
                tx.cancel();
                throw refusal(Causes.of(failure));
            }
            specs.forEach(fabrics::fabricChanged);
            return null;
        });
    }

    private CompletableFuture<Present> present(DOMDataTreeReadOperations tx) {
        // one after another, as StoredTrees reads
        return read(tx, FABRICS).thenCompose(configured ->
            read(tx, PARTITIONS).thenCompose(known -> read(tx, DatastoreInstallationStore.PATH).thenApply(own ->
                new Present(configured, known, own.map(DatastoreInstallationStore::read)))));
    }

    private <T extends DataObject> CompletableFuture<Optional<T>> read(DOMDataTreeReadOperations tx,
            DataObjectIdentifier<T> what) {
        return Futures.<Optional<NormalizedNode>>completable(tx.read(STORE, contents.path(what)))
            .thenApply(node -> contents.binding(what, node.orElse(null)));
    }

    private static void refuse(Present present, List<FabricSpec> specs, boolean replace) {
        present.partitions().map(all -> FrozenFabrics.of(all.nonnullPartition().values().stream().map(RunTree::read)
            .toList())).orElse(Map.of()).forEach((fabric, why) -> {
                throw new FrozenException("fabric " + fabric + " is frozen: " + why);
            });
        List<FabricSpec> configured = present.fabrics()
            .map(all -> CheckedFabrics.of(all.nonnullFabric().values()).specs()).orElse(List.of());
        if (!configured.isEmpty() && !replace) {
            throw new InvalidInputException(Location.fabric(configured.get(0).name()), "this fabric is configured here"
                + " already: restore on an empty controller, or replace what is stored here");
        }
        List<Problem> left = configured.stream().flatMap(spec -> left(spec, specs).stream()).toList();
        if (!left.isEmpty()) {
            throw new InvalidInputException(left);
        }
    }

    /** The parts of a configured fabric that nobody would remove from nodes after they left the configuration. */
    private static List<Problem> left(FabricSpec spec, List<FabricSpec> restored) {
        Optional<FabricSpec> same = restored.stream().filter(each -> each.name().equals(spec.name())).findFirst();
        if (same.isEmpty()) {
            return List.of(new Problem(Location.fabric(spec.name()),
                "the backup does not have this fabric: delete it first"));
        }
        Set<List<String>> kept = new HashSet<>();
        same.get().switches().forEach(each -> kept.add(bridge(each)));
        return spec.switches().stream().filter(each -> !kept.contains(bridge(each))).map(each ->
            new Problem(Location.fabric(spec.name()).entry("switch", "name", each.name()), "the backup has no bridge "
                + each.bridge() + " on node " + each.systemId() + ", which would be left behind: take the switch out of"
                + " the configuration first")).toList();
    }

    private static List<String> bridge(Switch description) {
        return List.of(description.systemId(), description.bridge());
    }

    /** What a failed write tells the caller. */
    private static RuntimeException refusal(Throwable failure) {
        for (Throwable cause : Throwables.getCausalChain(failure)) {
            if (cause instanceof InvalidInputException || cause instanceof FrozenException) {
                return (RuntimeException) cause;
            }
            if (cause instanceof NetconfDocumentedException refused) {
                return new InvalidInputException("backup", refused.getMessage());
            }
            if (cause instanceof OptimisticLockFailedException) {
                return new FrozenException("something was stored at the same time, so nothing was restored: try again");
            }
        }
        return new IllegalStateException("nothing was restored: " + Causes.inWords(failure), failure);
    }
}
