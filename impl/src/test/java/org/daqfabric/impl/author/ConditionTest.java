package org.daqfabric.impl.author;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.clearInvocations;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;
import static org.mockito.Mockito.when;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.stream.LongStream;
import org.daqfabric.impl.author.ConditionFailedException.Kind;
import org.daqfabric.impl.engine.Seeds;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.opendaylight.mdsal.binding.dom.adapter.test.AbstractConcurrentDataBrokerTest;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.mdsal.common.api.OptimisticLockFailedException;
import org.opendaylight.mdsal.common.api.ReadFailedException;
import org.opendaylight.mdsal.dom.api.DOMDataTreeReadTransaction;
import org.opendaylight.mdsal.dom.api.DOMDataTreeReadWriteTransaction;
import org.opendaylight.mdsal.dom.api.DOMSchemaService;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Fabrics;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.Fabric;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.Decisions;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.History;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.fabrics.Write;
import org.opendaylight.yangtools.binding.runtime.spi.BindingRuntimeHelpers;
import org.opendaylight.yangtools.util.concurrent.FluentFutures;
import org.opendaylight.yangtools.yang.common.QName;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier.NodeIdentifier;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier.NodeIdentifierWithPredicates;
import org.opendaylight.yangtools.yang.data.api.schema.MapEntryNode;
import org.opendaylight.yangtools.yang.data.api.schema.NormalizedNode;
import org.opendaylight.yangtools.yang.data.spi.node.ImmutableNodes;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;

/** A request changes a node only if what it demands of it holds, in the transaction that changes it. */
class ConditionTest {
    private static final LogicalDatastoreType STORE = LogicalDatastoreType.CONFIGURATION;
    private static final EffectiveModelContext MODEL =
        BindingRuntimeHelpers.createRuntimeContext(Fabrics.class, Decisions.class).modelContext();
    private static final QName NAME = QName.create(Fabrics.QNAME, "name");
    private static final QName MTU = QName.create(Fabrics.QNAME, "mtu");
    private static final QName SWITCH = QName.create(Fabrics.QNAME, "switch");
    private static final YangInstanceIdentifier FABRICS = YangInstanceIdentifier.of(new NodeIdentifier(Fabrics.QNAME));
    private static final YangInstanceIdentifier FABRIC = path("f");
    private static final int DEPTH = 3;

    private final Memory memory = new Memory();
    private AuthoredDataBroker broker;

    private static final class Memory extends AbstractConcurrentDataBrokerTest {
        Memory() {
            super(true);
        }
    }

    @BeforeEach
    void open() throws Exception {
        memory.setup();
        DOMSchemaService models = mock(DOMSchemaService.class);
        when(models.getGlobalContext()).thenReturn(MODEL);
        broker = new AuthoredDataBroker(memory.getDomBroker(), models);
        DOMDataTreeReadWriteTransaction tx = memory.getDomBroker().newReadWriteTransaction();
        tx.merge(STORE, FABRICS, fabrics(fabric("f", 1500)));
        tx.commit().get();
    }

    private static NormalizedNode fabrics(MapEntryNode entry) {
        return ImmutableNodes.newContainerBuilder().withNodeIdentifier(new NodeIdentifier(Fabrics.QNAME))
            .withChild(ImmutableNodes.newSystemMapBuilder().withNodeIdentifier(new NodeIdentifier(Fabric.QNAME))
                .withChild(entry).build()).build();
    }

    /** What RESTCONF merges before it changes something in a fabric. */
    private static NormalizedNode parents(String name) {
        return fabrics(ImmutableNodes.newMapEntryBuilder()
            .withNodeIdentifier(NodeIdentifierWithPredicates.of(Fabric.QNAME, NAME, name))
            .withChild(ImmutableNodes.leafNode(NAME, name)).build());
    }

    private static YangInstanceIdentifier path(String name) {
        return YangInstanceIdentifier.of(new NodeIdentifier(Fabrics.QNAME), new NodeIdentifier(Fabric.QNAME),
            NodeIdentifierWithPredicates.of(Fabric.QNAME, NAME, name));
    }

    private static MapEntryNode fabric(String name, int mtu) {
        return ImmutableNodes.newMapEntryBuilder()
            .withNodeIdentifier(NodeIdentifierWithPredicates.of(Fabric.QNAME, NAME, name))
            .withChild(ImmutableNodes.leafNode(NAME, name))
            .withChild(ImmutableNodes.leafNode(MTU, Uint32.valueOf(mtu))).build();
    }

    private Optional<NormalizedNode> stored(YangInstanceIdentifier path) throws Exception {
        try (DOMDataTreeReadTransaction tx = memory.getDomBroker().newReadOnlyTransaction()) {
            return tx.read(STORE, path).get();
        }
    }

    private String tag() throws Exception {
        return EntityTag.of(stored(FABRIC).orElseThrow());
    }

    /** The transaction that RESTCONF begins for a request. */
    private DOMDataTreeReadWriteTransaction begin(Condition condition) {
        List<DOMDataTreeReadWriteTransaction> begun = new ArrayList<>();
        condition.of(() -> begun.add(broker.newReadWriteTransaction()));
        return begun.getFirst();
    }

    private static Condition on(String ifMatch, String ifNoneMatch) {
        return Condition.of(ifMatch, ifNoneMatch, null, DEPTH, 0);
    }

    private static void refused(DOMDataTreeReadWriteTransaction tx, Kind kind) {
        assertThatThrownBy(() -> tx.commit().get()).isInstanceOf(ExecutionException.class).rootCause()
            .isInstanceOfSatisfying(ConditionFailedException.class, why -> assertThat(why.kind()).isEqualTo(kind));
    }

    /** RESTCONF deletes on the thread on which it hears that the node exists, which is the datastore's. */
    @Test
    void nothingIsWaitedForOnAThreadOfTheDatastore() throws Exception {
        DOMDataTreeReadWriteTransaction stored = mock(DOMDataTreeReadWriteTransaction.class);
        when(stored.exists(any(), any())).thenReturn(FluentFutures.immediateTrueFluentFuture());
        doReturn(FluentFutures.immediateFluentFuture(stored(FABRIC))).when(stored).read(any(), any());
        AuthoredTransaction tx = new AuthoredTransaction(stored, MODEL, Author.UNKNOWN, Optional.empty(),
            Optional.of(on("\"stale\"", null)));
        tx.exists(STORE, FABRIC).get();
        verify(stored).read(any(), any());
        clearInvocations(stored);
        tx.delete(STORE, FABRIC);
        verifyNoInteractions(stored);
        refused(tx, Kind.UNMET);
    }

    /** The datastore is slow, as while members elect a leader: that is no word on the node. */
    @Test
    void whatIsNotKnownIsSaid() {
        DOMDataTreeReadWriteTransaction stored = mock(DOMDataTreeReadWriteTransaction.class);
        when(stored.exists(any(), any())).thenReturn(FluentFutures.immediateFailedFluentFuture(
            new ReadFailedException("no leader")));
        AuthoredTransaction tx = new AuthoredTransaction(stored, MODEL, Author.UNKNOWN, Optional.empty(),
            Optional.of(Condition.of(null, null, null, DEPTH, DEPTH)));
        tx.merge(STORE, FABRIC, fabric("f", 9000));
        refused(tx, Kind.UNKNOWN);
    }

    /** The history follows a write, and so does its time. */
    @Test
    void aDateSaysNothingWhileAChangeIsBeingRecorded() throws Exception {
        Condition today = Condition.of(null, null, "Sun, 29 Nov 2099 12:00:00 GMT", DEPTH, 0);
        DOMDataTreeReadWriteTransaction history = memory.getDomBroker().newReadWriteTransaction();
        QName fabrics = QName.create(History.QNAME, "fabric");
        QName name = QName.create(History.QNAME, "name");
        QName changed = QName.create(History.QNAME, "changed");
        history.merge(STORE, YangInstanceIdentifier.of(new NodeIdentifier(History.QNAME)),
            ImmutableNodes.newContainerBuilder().withNodeIdentifier(new NodeIdentifier(History.QNAME))
                .withChild(ImmutableNodes.newSystemMapBuilder().withNodeIdentifier(new NodeIdentifier(fabrics))
                    .withChild(ImmutableNodes.newMapEntryBuilder()
                        .withNodeIdentifier(NodeIdentifierWithPredicates.of(fabrics, name, "f"))
                        .withChild(ImmutableNodes.leafNode(name, "f"))
                        .withChild(ImmutableNodes.leafNode(changed, "2026-11-29T12:00:00Z")).build()).build()).build());
        history.merge(STORE, FABRICS, WriteEntry.node(new Author(Optional.of("anna"), Optional.empty())));
        history.commit().get();
        DOMDataTreeReadWriteTransaction early = begin(today);
        early.put(STORE, FABRIC, fabric("f", 9000));
        refused(early, Kind.UNMET);
        DOMDataTreeReadWriteTransaction recorded = memory.getDomBroker().newReadWriteTransaction();
        recorded.delete(STORE, FABRICS.node(Write.QNAME));
        recorded.commit().get();
        DOMDataTreeReadWriteTransaction late = begin(Condition.of(null, null, "Sun, 29 Nov 2026 11:59:59 GMT", DEPTH,
            0));
        late.put(STORE, FABRIC, fabric("f", 9000));
        refused(late, Kind.UNMET);
        DOMDataTreeReadWriteTransaction right = begin(today);
        right.put(STORE, FABRIC, fabric("f", 9000));
        right.commit().get();
        assertThat(stored(FABRIC)).contains(fabric("f", 9000));
    }

    /** What the controller stores for itself there changes at any moment. */
    @Test
    void aConditionOnAllFabricsLeavesTheControllersEntriesAlone() throws Exception {
        NormalizedNode all = stored(FABRICS).orElseThrow();
        DOMDataTreeReadWriteTransaction tx = begin(Condition.of(EntityTag.of(all), null, null, 1, 0));
        tx.merge(STORE, FABRICS, fabrics(fabric("f", 9000)));
        DOMDataTreeReadWriteTransaction controller = memory.getDomBroker().newReadWriteTransaction();
        controller.merge(STORE, FABRICS, WriteEntry.node(new Author(Optional.of("anna"), Optional.empty())));
        controller.commit().get();
        tx.commit().get();
        assertThat(stored(FABRIC)).contains(fabric("f", 9000));
        assertThat(EntityTag.of(stored(FABRICS).orElseThrow())).isNotEqualTo(EntityTag.of(all));
    }

    @Test
    void aStaleTagChangesNothing() throws Exception {
        String before = tag();
        for (String stale : List.of("\"stale\"", "W/\"stale\", \"other\"", "")) {
            DOMDataTreeReadWriteTransaction tx = begin(on(stale, null));
            tx.put(STORE, FABRIC, fabric("f", 9000));
            refused(tx, Kind.UNMET);
        }
        DOMDataTreeReadWriteTransaction exists = begin(on(null, "*"));
        exists.put(STORE, FABRIC, fabric("f", 9000));
        refused(exists, Kind.UNMET);
        DOMDataTreeReadWriteTransaction gone = begin(on("*", null));
        gone.put(STORE, path("g"), fabric("g", 9000));
        refused(gone, Kind.UNMET);
        assertThat(tag()).isEqualTo(before);
        assertThat(stored(path("g"))).isEmpty();
    }

    @Test
    void theTagOfWhatIsThereLetsPass() throws Exception {
        String before = tag();
        DOMDataTreeReadWriteTransaction tx = begin(on("\"other\", " + before, null));
        tx.put(STORE, FABRIC, fabric("f", 9000));
        tx.commit().get();
        assertThat(stored(FABRIC)).contains(fabric("f", 9000));
        assertThat(tag()).isNotEqualTo(before);
        DOMDataTreeReadWriteTransaction made = begin(on(null, "*"));
        made.put(STORE, path("g"), fabric("g", 1));
        made.commit().get();
        DOMDataTreeReadWriteTransaction deleted = begin(on(tag(), null));
        deleted.delete(STORE, FABRIC);
        deleted.commit().get();
        assertThat(stored(FABRIC)).isEmpty();
        assertThat(stored(path("g"))).isPresent();
    }

    /** Both have read the same, and the second to commit would undo what the first has done; also by merges. */
    @Test
    void ofTwoAtTheSameInstantOneFails() throws Exception {
        for (boolean merges : List.of(false, true)) {
            DOMDataTreeReadWriteTransaction first = begin(on(tag(), null));
            DOMDataTreeReadWriteTransaction second = begin(on(tag(), null));
            for (DOMDataTreeReadWriteTransaction tx : List.of(first, second)) {
                MapEntryNode now = fabric("f", tx.equals(first) ? 2000 : 3000);
                if (merges) {
                    tx.merge(STORE, FABRIC, now);
                } else {
                    tx.put(STORE, FABRIC, now);
                }
            }
            first.commit().get();
            assertThatThrownBy(() -> second.commit().get()).hasCauseInstanceOf(OptimisticLockFailedException.class);
            assertThat(stored(FABRIC)).contains(fabric("f", 2000));
            DOMDataTreeReadWriteTransaction again = memory.getDomBroker().newReadWriteTransaction();
            again.put(STORE, FABRIC, fabric("f", 1500));
            again.commit().get();
        }
    }

    /** RFC 8040, section 4.6.1, also if RESTCONF merges what is above first, in one piece. */
    @Test
    void patchMakesNoEntry() throws Exception {
        DOMDataTreeReadWriteTransaction tx = begin(Condition.of(null, null, null, DEPTH + 1, DEPTH));
        YangInstanceIdentifier leaf = path("typo").node(MTU);
        tx.merge(STORE, FABRICS, parents("typo"));
        tx.merge(STORE, leaf, ImmutableNodes.leafNode(MTU, Uint32.valueOf(9000)));
        refused(tx, Kind.MISSING);
        assertThat(stored(path("typo"))).isEmpty();
        DOMDataTreeReadWriteTransaction right = begin(Condition.of(null, null, null, DEPTH + 1, DEPTH));
        right.merge(STORE, FABRICS, parents("f"));
        right.merge(STORE, FABRIC.node(MTU), ImmutableNodes.leafNode(MTU, Uint32.valueOf(9000)));
        right.commit().get();
        assertThat(stored(FABRIC)).contains(fabric("f", 9000));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = { "Sat, 01 Jan 2000 00:00:00 GMT|false", "Sun, 29 Nov 2026 12:00:00 GMT|true",
        "Sun, 29 Nov 2026 11:59:59 GMT|false", "yesterday|true" })
    void whatWasChangedSinceIsNotChanged(String date, boolean passes) throws Exception {
        assertThat(Condition.of(null, null, date, DEPTH, 0)
            .failed(stored(FABRIC), Optional.of(Instant.parse("2026-11-29T12:00:00.900Z"))).isEmpty())
            .isEqualTo(passes);
    }

    /** If-Match is more exact, and counts alone (RFC 9110, section 13.2.2). */
    @Test
    void theTagGoesBeforeTheDate() throws Exception {
        String old = "Sat, 01 Jan 2000 00:00:00 GMT";
        assertThat(Condition.of(tag(), null, old, DEPTH, 0).failed(stored(FABRIC), Optional.of(Instant.now())))
            .isEmpty();
        assertThat(Condition.of(null, null, old, DEPTH, 0).failed(stored(FABRIC), Optional.empty()).orElseThrow())
            .contains("use If-Match");
    }

    /** A proxy that compresses says so in the tag. */
    @Test
    void aTagThatAProxyChangedIsTheSame() throws Exception {
        String hex = tag().replace("\"", "");
        for (String changed : List.of("W/\"" + hex + "\"", "\"" + hex + "-gzip\"", "\"" + hex + ";br\"")) {
            assertThat(EntityTag.isIn(changed, stored(FABRIC))).as(changed).isTrue();
        }
        assertThat(EntityTag.isIn("\"" + hex + "0\"", stored(FABRIC))).isFalse();
        assertThat(EntityTag.isIn(hex, stored(FABRIC))).as("no quotes").isFalse();
    }

    static LongStream seeds() {
        return Seeds.seeds().flatMap(seed -> LongStream.range(seed * 10, (seed + 1) * 10));
    }

    /** Members of a cluster hold the entries of a list in different orders. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void theOrderOfEntriesMeansNothing(long seed) {
        Random random = new Random(seed);
        List<MapEntryNode> entries = new ArrayList<>();
        for (int number = random.nextInt(20); number >= 0; number--) {
            entries.add(ImmutableNodes.newMapEntryBuilder()
                .withNodeIdentifier(NodeIdentifierWithPredicates.of(SWITCH, NAME, "s" + number))
                .withChild(ImmutableNodes.leafNode(NAME, "s" + number))
                .withChild(ImmutableNodes.leafNode(MTU, Uint32.valueOf(random.nextInt(3)))).build());
        }
        NormalizedNode one = list(entries);
        Collections.shuffle(entries, random);
        assertThat(EntityTag.of(list(entries))).isEqualTo(EntityTag.of(one));
        entries.removeLast();
        assertThat(EntityTag.of(list(entries))).isNotEqualTo(EntityTag.of(one));
    }

    private static NormalizedNode list(List<MapEntryNode> entries) {
        return ImmutableNodes.newSystemMapBuilder().withNodeIdentifier(new NodeIdentifier(SWITCH))
            .withValue(entries).build();
    }
}
