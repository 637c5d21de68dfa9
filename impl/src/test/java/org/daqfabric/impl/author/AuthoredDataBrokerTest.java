package org.daqfabric.impl.author;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.servlet.FilterChain;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.opendaylight.mdsal.binding.api.ReadTransaction;
import org.opendaylight.mdsal.binding.dom.adapter.test.AbstractConcurrentDataBrokerTest;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.mdsal.common.api.TransactionCommitFailedException;
import org.opendaylight.mdsal.dom.api.DOMDataBroker;
import org.opendaylight.mdsal.dom.api.DOMDataTreeReadWriteTransaction;
import org.opendaylight.mdsal.dom.api.DOMDataTreeWriteTransaction;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Fabrics;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.Decisions;
import org.opendaylight.yang.gen.v1.urn.daqfabric.store.rev261120.Fabrics1;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.util.concurrent.FluentFutures;
import org.opendaylight.yangtools.yang.common.QName;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier.NodeIdentifier;
import org.opendaylight.yangtools.yang.data.spi.node.ImmutableNodes;

/** A transaction that RESTCONF begins for a request has the user of that request and of no other. */
class AuthoredDataBrokerTest {
    private static final LogicalDatastoreType STORE = LogicalDatastoreType.CONFIGURATION;

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
        broker = new AuthoredDataBroker(memory.getDomBroker());
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
        put(begun.get(1), Decisions.QNAME);
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
            () -> begun.add(new AuthoredDataBroker(store).newReadWriteTransaction())));

        List<Throwable> known = new ArrayList<>();
        begun.get(0).commit().addListener(() -> known.add(failed.cause().orElseThrow()), Runnable::run);
        assertThat(known).containsExactly(reason);
        assertThat(FailedCommit.current()).isEmpty();
    }
}
