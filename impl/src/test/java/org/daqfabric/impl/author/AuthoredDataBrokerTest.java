package org.daqfabric.impl.author;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoMoreInteractions;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.servlet.FilterChain;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.opendaylight.mdsal.binding.api.ReadTransaction;
import org.opendaylight.mdsal.binding.dom.adapter.test.AbstractConcurrentDataBrokerTest;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.mdsal.common.api.TransactionCommitFailedException;
import org.opendaylight.mdsal.dom.api.DOMDataBroker;
import org.opendaylight.mdsal.dom.api.DOMDataTreeReadWriteTransaction;
import org.opendaylight.mdsal.dom.api.DOMDataTreeWriteTransaction;
import org.opendaylight.mdsal.dom.api.DOMSchemaService;
import org.opendaylight.netconf.api.NetconfDocumentedException;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Fabrics;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.PendingRemovals;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.Fabric;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.Decisions;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.Fabrics1;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.History;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.fabrics.Write;
import org.opendaylight.yang.gen.v1.urn.tbd.params.xml.ns.yang.network.topology.rev131021.NetworkTopology;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.binding.runtime.spi.BindingRuntimeHelpers;
import org.opendaylight.yangtools.util.concurrent.FluentFutures;
import org.opendaylight.yangtools.yang.common.ErrorTag;
import org.opendaylight.yangtools.yang.common.QName;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier.NodeIdentifier;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier.NodeIdentifierWithPredicates;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier.PathArgument;
import org.opendaylight.yangtools.yang.data.api.schema.ContainerNode;
import org.opendaylight.yangtools.yang.data.api.schema.DataContainerChild;
import org.opendaylight.yangtools.yang.data.spi.node.ImmutableNodes;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;
import org.opendaylight.yangtools.yang.model.api.SchemaContext;

/** A transaction that RESTCONF begins for a request has the user of that request and of no other. */
class AuthoredDataBrokerTest {
    private static final LogicalDatastoreType STORE = LogicalDatastoreType.CONFIGURATION;
    private static final EffectiveModelContext MODEL = BindingRuntimeHelpers.createRuntimeContext(Fabrics.class,
        Decisions.class, NetworkTopology.class).modelContext();

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
        broker = broker(memory.getDomBroker());
    }

    private static AuthoredDataBroker broker(DOMDataBroker store) {
        DOMSchemaService models = mock(DOMSchemaService.class);
        when(models.getGlobalContext()).thenReturn(MODEL);
        return new AuthoredDataBroker(store, models);
    }

    /** Works on a request as the filter of RESTCONF does. */
    private static void request(String user, String reason, FilterChain work) throws Exception {
        HttpServletRequest request = mock(HttpServletRequest.class);
        Principal principal = user == null ? null : () -> user;
        when(request.getUserPrincipal()).thenReturn(principal);
        when(request.getHeader("X-Daqfabric-Reason")).thenReturn(reason);
        new AuthorFilter().doFilter(request, mock(HttpServletResponse.class), work);
    }

    private static void put(DOMDataTreeWriteTransaction tx, QName container) {
        NodeIdentifier node = new NodeIdentifier(container);
        tx.merge(STORE, YangInstanceIdentifier.of(node),
            ImmutableNodes.newContainerBuilder().withNodeIdentifier(node).build());
    }

    private List<Author> authors() throws Exception {
        try (ReadTransaction tx = memory.getDataBroker().newReadOnlyTransaction()) {
            return tx.read(STORE, DataObjectIdentifier.builder(Fabrics.class).build()).get()
                .map(fabrics -> fabrics.augmentation(Fabrics1.class)).stream()
                .flatMap(added -> added.nonnullWrite().values().stream()).map(WriteEntry::read).toList();
        }
    }

    /** The transaction may be committed on another thread, or when the request is over. */
    @Test
    void aChangeOfAFabricNamesItsUser() throws Exception {
        List<DOMDataTreeWriteTransaction> begun = new ArrayList<>();
        request("alice@sdn", " new\ncables ", (request, response) -> begun.add(broker.newReadWriteTransaction()));
        put(begun.get(0), Fabrics.QNAME);
        begun.get(0).commit().get();

        assertThat(authors()).containsExactly(new Author(Optional.of("alice@sdn"), Optional.of("new cables")));
        assertThat(Author.current()).isEqualTo(Author.UNKNOWN);
    }

    /** Whatever is written outside requests, by somebody unknown, or elsewhere, names nobody. */
    @Test
    void otherWritesNameNobody() throws Exception {
        request("alice@sdn", null, (request, response) -> { });
        DOMDataTreeWriteTransaction after = broker.newWriteOnlyTransaction();
        put(after, Fabrics.QNAME);
        after.commit().get();
        List<DOMDataTreeWriteTransaction> begun = new ArrayList<>();
        request(null, "why", (request, response) -> begun.add(broker.newWriteOnlyTransaction()));
        put(begun.get(0), Fabrics.QNAME);
        begun.get(0).commit().get();
        request("alice@sdn", null, (request, response) -> begun.add(broker.newWriteOnlyTransaction()));
        put(begun.get(1), NetworkTopology.QNAME);
        begun.get(1).commit().get();

        assertThat(authors()).isEmpty();
    }

    /** Whoever completes the answer of RESTCONF to a failure knows its reason by then. */
    @Test
    void theReasonOfAFailedCommitIsKnownBeforeAnyoneHearsOfIt() throws Exception {
        DOMDataTreeReadWriteTransaction refused = mock(DOMDataTreeReadWriteTransaction.class);
        TransactionCommitFailedException reason = new TransactionCommitFailedException("refused");
        doReturn(FluentFutures.immediateFailedFluentFuture(reason)).when(refused).commit();
        DOMDataBroker store = mock(DOMDataBroker.class);
        when(store.newReadWriteTransaction()).thenReturn(refused);
        FailedCommit failed = new FailedCommit();
        List<DOMDataTreeWriteTransaction> begun = new ArrayList<>();
        request("alice@sdn", null, (request, response) -> failed.<IOException, ServletException>of(
            () -> begun.add(broker(store).newReadWriteTransaction())));

        List<Throwable> known = new ArrayList<>();
        begun.get(0).commit().addListener(() -> known.add(failed.cause().orElseThrow()), Runnable::run);
        assertThat(known).containsExactly(reason);
        assertThat(FailedCommit.current()).isEmpty();
    }

    private static ContainerNode container(QName name, DataContainerChild... children) {
        var container = ImmutableNodes.newContainerBuilder().withNodeIdentifier(new NodeIdentifier(name));
        List.of(children).forEach(container::withChild);
        return container.build();
    }

    private static DataContainerChild list(QName name, QName key, DataContainerChild... children) {
        var entry = ImmutableNodes.newMapEntryBuilder()
            .withNodeIdentifier(NodeIdentifierWithPredicates.of(name, key, "x"))
            .withChild(ImmutableNodes.leafNode(key, "x"));
        List.of(children).forEach(entry::withChild);
        return ImmutableNodes.newSystemMapBuilder().withNodeIdentifier(new NodeIdentifier(name))
            .withChild(entry.build()).build();
    }

    private static YangInstanceIdentifier path(QName... names) {
        return YangInstanceIdentifier.of(Stream.of(names).map(NodeIdentifier::new).toArray(PathArgument[]::new));
    }

    static Stream<Arguments> reserved() {
        QName state = QName.create(Fabrics.QNAME, "state");
        DataContainerChild write = list(Write.QNAME, QName.create(Write.QNAME, "id"));
        DataContainerChild fabric = list(Fabric.QNAME, QName.create(Fabric.QNAME, "name"), container(state));
        YangInstanceIdentifier stateOfFabric = path(Fabrics.QNAME, Fabric.QNAME).node(NodeIdentifierWithPredicates
            .of(Fabric.QNAME, QName.create(Fabric.QNAME, "name"), "x")).node(new NodeIdentifier(state));
        return Stream.of(
            change("its store", tx -> tx.put(STORE, path(Decisions.QNAME), container(Decisions.QNAME)),
                ErrorTag.ACCESS_DENIED, "rpc rebalance"),
            change("a part of its store", tx -> tx.delete(STORE, path(History.QNAME,
                QName.create(History.QNAME, "fabric"))), ErrorTag.ACCESS_DENIED, "rpc roll-back"),
            change("who wrote", tx -> tx.merge(STORE, path(Fabrics.QNAME), container(Fabrics.QNAME, write)),
                ErrorTag.ACCESS_DENIED, "X-Daqfabric-Reason"),
            change("state", tx -> tx.put(STORE, stateOfFabric, container(state)), ErrorTag.INVALID_VALUE, "state"),
            change("state in a fabric", tx -> tx.merge(STORE, path(Fabrics.QNAME), container(Fabrics.QNAME, fabric)),
                ErrorTag.INVALID_VALUE, "leave it out"),
            change("state beside the fabrics", tx -> tx.put(STORE, path(PendingRemovals.QNAME),
                container(PendingRemovals.QNAME)), ErrorTag.INVALID_VALUE, "state"),
            change("all", tx -> tx.put(STORE, path(), container(SchemaContext.NAME)), ErrorTag.ACCESS_DENIED,
                "one by one"),
            change("all away", tx -> tx.delete(STORE, path()), ErrorTag.ACCESS_DENIED, "one by one"));
    }

    private static Arguments change(String what, Consumer<DOMDataTreeWriteTransaction> change, ErrorTag tag,
            String instead) {
        return Arguments.of(what, change, tag, instead);
    }

    /** It never comes to the datastore, where it would be acted on or hold up everything else. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("reserved")
    void whatIsReservedIsRefused(String what, Consumer<DOMDataTreeWriteTransaction> change, ErrorTag tag,
            String instead) {
        DOMDataTreeReadWriteTransaction tx = mock(DOMDataTreeReadWriteTransaction.class);
        DOMDataBroker store = mock(DOMDataBroker.class);
        when(store.newReadWriteTransaction()).thenReturn(tx);
        DOMDataTreeReadWriteTransaction refused = broker(store).newReadWriteTransaction();
        put(refused, Fabrics.QNAME);
        change.accept(refused);
        assertThatThrownBy(() -> refused.commit().get()).hasCauseInstanceOf(TransactionCommitFailedException.class)
            .hasRootCauseInstanceOf(NetconfDocumentedException.class).rootCause()
            .hasMessageContaining(instead).extracting(cause -> ((NetconfDocumentedException) cause).getErrorTag())
            .isEqualTo(tag);
        verify(tx).merge(any(), any(), any()); // what went before
        verify(tx).cancel();
        verifyNoMoreInteractions(tx);
    }

    /** What the controller itself writes does not come by here; nothing else of a fabric is reserved. */
    @Test
    void theRestOfTheDatastoreIsOpen() throws Exception {
        DOMDataTreeReadWriteTransaction tx = broker.newReadWriteTransaction();
        put(tx, Fabrics.QNAME);
        put(tx, NetworkTopology.QNAME);
        tx.put(STORE, path(Fabrics.QNAME), container(Fabrics.QNAME,
            list(Fabric.QNAME, QName.create(Fabric.QNAME, "name"))));
        tx.delete(STORE, path(NetworkTopology.QNAME));
        tx.commit().get();
        assertThat(broker.newReadOnlyTransaction().exists(STORE, path(Fabrics.QNAME)).get()).isTrue();
    }
}
