package org.daqfabric.impl.northbound;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.daqfabric.api.history.FabricVersion;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.impl.async.Causes;
import org.daqfabric.impl.author.Author;
import org.daqfabric.impl.author.WriteEntry;
import org.daqfabric.impl.engine.history.Differ;
import org.eclipse.jdt.annotation.Nullable;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.DataTreeChangeListener;
import org.opendaylight.mdsal.binding.api.DataTreeModification;
import org.opendaylight.mdsal.binding.api.ReadTransaction;
import org.opendaylight.mdsal.binding.api.WriteTransaction;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Fabrics;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.Fabric;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.FabricKey;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.Fabrics1;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.fabrics.Write;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.fabrics.WriteKey;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.history.fabric.Version;
import org.opendaylight.yangtools.binding.DataObjectReference;
import org.opendaylight.yangtools.concepts.Registration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records every change of the configuration as a version of the fabric's history, with the user if the same transaction
 * names one. What changed while nothing recorded becomes a version when recording begins, without a user.
 *
 * <p>Versions are written by a thread of its own, in the order of the changes; one that the datastore does not take is
 * tried again until it does.
 */
final class HistoryRecorder implements DataTreeChangeListener<Fabrics>, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HistoryRecorder.class);
    private static final LogicalDatastoreType STORE = LogicalDatastoreType.CONFIGURATION;
    private static final long TIMEOUT_SECONDS = 10;
    private static final long RETRY_SECONDS = 1;

    private final DataBroker broker;
    private final ConfigurationText text;
    private final int size;
    private final InstantSource clock;
    /** Forgets what comes when it is closed. */
    private final ScheduledExecutorService thread = new ScheduledThreadPoolExecutor(1,
        Thread.ofPlatform().daemon().name("daqfabric-history").factory(), new ThreadPoolExecutor.DiscardPolicy());
    private final Registration registration;
    /** What is not recorded yet, oldest first; of the thread alone, as all below. */
    private final Deque<Change> pending = new ArrayDeque<>();
    private final Map<String, Newest> newest = new HashMap<>();
    private boolean begun;
    private boolean failing;

    /** One transaction that changed the configuration; null for none. */
    private record Change(@Nullable Fabrics before, @Nullable Fabrics after) {
        Map<FabricKey, Fabric> fabricsBefore() {
            return before == null ? Map.of() : before.nonnullFabric();
        }

        Map<FabricKey, Fabric> fabricsAfter() {
            return after == null ? Map.of() : after.nonnullFabric();
        }

        /** The entries of those who wrote since before. */
        Map<WriteKey, Write> entries() {
            Map<WriteKey, Write> entries = new HashMap<>(writes(after));
            entries.keySet().removeAll(writes(before).keySet());
            return entries;
        }

        private static Map<WriteKey, Write> writes(@Nullable Fabrics fabrics) {
            Fabrics1 added = fabrics == null ? null : fabrics.augmentation(Fabrics1.class);
            return added == null ? Map.of() : added.nonnullWrite();
        }

        /** Who made the change; unknown unless exactly one says so. */
        Author author() {
            Map<WriteKey, Write> entries = entries();
            return entries.size() == 1 ? WriteEntry.read(entries.values().iterator().next()) : Author.UNKNOWN;
        }
    }

    /**
     * The newest version of a fabric.
     *
     * @param numbers of all versions
     * @param spec its configuration; empty if it is the fabric's removal, or there is no version
     * @param summary what it changes; empty if it was read
     * @param changed when the fabric was changed, as others compare it; empty if there is no version
     */
    private record Newest(SortedSet<Long> numbers, Optional<FabricSpec> spec, String summary,
            Optional<Instant> changed) {
        long number() {
            return numbers.isEmpty() ? 0 : numbers.last();
        }

        /**
         * When the fabric is changed again. Somebody may have set the clock back: what comes then is yet later, by what
         * HTTP tells apart, or a client that has read what was before would take it for unchanged.
         */
        Instant changedAgain(Instant now) {
            return changed.filter(now::isBefore).map(before -> before.plusSeconds(1)).orElse(now);
        }
    }

    HistoryRecorder(DataBroker broker, ConfigurationText text, int size, InstantSource clock) {
        this.broker = broker;
        this.text = text;
        this.size = size;
        this.clock = clock;
        registration = broker.registerTreeChangeListener(STORE, DataObjectReference.builder(Fabrics.class).build(),
            this);
    }

    @Override
    public void onDataTreeChanged(List<DataTreeModification<Fabrics>> changes) {
        List<Change> seen = new ArrayList<>();
        changes.forEach(change ->
            seen.add(new Change(change.getRootNode().dataBefore(), change.getRootNode().dataAfter())));
        thread.execute(() -> {
            pending.addAll(seen);
            recordPending();
        });
    }

    @Override
    public void onInitialData() {
        thread.execute(() -> {
            pending.add(new Change(null, null));
            recordPending();
        });
    }

    @SuppressWarnings("checkstyle:illegalCatch") // whatever keeps a version from being written may pass
    private void recordPending() {
        while (!pending.isEmpty()) {
            try {
                record(pending.peek());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (ExecutionException | TimeoutException e) {
                if (!failing) {
                    LOG.warn("The history cannot be written, which is tried again: {}", Causes.inWords(e));
                }
                failing = true;
                newest.clear();
                thread.schedule(this::recordPending, RETRY_SECONDS, TimeUnit.SECONDS);
                return;
            } catch (RuntimeException e) {
                LOG.error("A change of the configuration could not be recorded in the history", e);
                newest.clear();
            }
            pending.remove();
            failing = false;
        }
    }

    private void record(Change change) throws InterruptedException, ExecutionException, TimeoutException {
        WriteTransaction tx = broker.newWriteOnlyTransaction();
        boolean writes = false;
        // the first change is everything that is configured, whoever wrote it
        Author author = begun ? change.author() : Author.UNKNOWN;
        Map<String, Newest> recorded = new HashMap<>();
        for (String fabric : begun ? changed(change) : all(change)) {
            Optional<Newest> now = record(tx, fabric, change, author);
            writes |= now.isPresent();
            now.ifPresent(each -> recorded.put(fabric, each));
        }
        for (WriteKey entry : change.entries().keySet()) {
            tx.delete(STORE, WriteEntry.path(entry.getId()));
            writes = true;
        }
        if (writes) {
            tx.commit().get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } else {
            tx.cancel();
        }
        recorded.forEach((fabric, now) -> LOG.info("Fabric {} is configured as version {} by {}: {}", fabric,
            now.number(), author.userText(), now.summary()));
        newest.putAll(recorded);
        begun = true;
    }

    private static SortedSet<String> changed(Change change) {
        SortedSet<String> names = new TreeSet<>();
        Map<FabricKey, Fabric> before = change.fabricsBefore();
        Map<FabricKey, Fabric> after = change.fabricsAfter();
        before.keySet().stream().filter(key -> !after.containsKey(key)).forEach(key -> names.add(name(key)));
        after.forEach((key, fabric) -> {
            if (!Objects.equals(fabric, before.get(key))) {
                names.add(name(key));
            }
        });
        return names;
    }

    /** Every fabric that is configured or was. */
    private SortedSet<String> all(Change change) throws InterruptedException, ExecutionException, TimeoutException {
        SortedSet<String> names = new TreeSet<>();
        change.fabricsAfter().keySet().forEach(key -> names.add(name(key)));
        try (ReadTransaction tx = broker.newReadOnlyTransaction()) {
            tx.read(STORE, HistoryTree.all()).get(TIMEOUT_SECONDS, TimeUnit.SECONDS).ifPresent(history ->
                history.nonnullFabric().keySet().forEach(key -> names.add(key.getName().getValue())));
        }
        return names;
    }

    private static String name(FabricKey key) {
        return key.getName().getValue();
    }

    /** Adds the version after a change, and removes the oldest; empty if nothing changed. */
    private Optional<Newest> record(WriteTransaction tx, String name, Change change, Author author)
            throws InterruptedException, ExecutionException, TimeoutException {
        Optional<Fabric> fabric = change.fabricsAfter().values().stream()
            .filter(each -> each.requireName().getValue().equals(name)).findFirst();
        Optional<FabricSpec> spec = fabric.flatMap(each -> FabricReader.read(each).spec());
        if (fabric.isPresent() && spec.isEmpty()) {
            LOG.warn("Fabric {} is not recorded in the history, because it cannot be read", name);
            return Optional.empty();
        }
        Newest before = newest(name);
        if (spec.equals(before.spec())) {
            return Optional.empty();
        }
        SortedSet<Long> numbers = new TreeSet<>(before.numbers());
        long number = before.number() + 1;
        numbers.add(number);
        while (numbers.size() > size) {
            tx.delete(STORE, HistoryTree.path(name, numbers.removeFirst()));
        }
        String summary = Differ.compare(before.spec(), spec).summary();
        Instant now = clock.instant();
        Instant changed = before.changedAgain(now);
        HistoryTree.begin(tx, name, changed);
        tx.put(STORE, HistoryTree.path(name, number), HistoryTree.version(new FabricVersion(number, now, author.user(),
            author.reason(), summary, fabric.isEmpty()), fabric.map(text::pack)));
        return Optional.of(new Newest(numbers, spec, summary, Optional.of(changed)));
    }

    private Newest newest(String fabric) throws InterruptedException, ExecutionException, TimeoutException {
        Newest known = newest.get(fabric);
        if (known != null) {
            return known;
        }
        SortedSet<Long> numbers = new TreeSet<>();
        Optional<FabricSpec> spec = Optional.empty();
        final Optional<Instant> changed;
        try (ReadTransaction tx = broker.newReadOnlyTransaction()) {
            var history = tx.read(STORE, HistoryTree.path(fabric)).get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            changed = history.flatMap(HistoryTree::changed);
            Map<Long, Version> versions = HistoryTree.versions(history);
            numbers.addAll(versions.keySet());
            if (!numbers.isEmpty()) {
                spec = Optional.ofNullable(versions.get(numbers.last()).getConfiguration())
                    .flatMap(configuration -> FabricReader.read(text.unpack(configuration)).spec());
            }
        }
        Newest read = new Newest(numbers, spec, "", changed);
        newest.put(fabric, read);
        return read;
    }

    @Override
    public void close() {
        registration.close();
        thread.shutdownNow();
    }
}
