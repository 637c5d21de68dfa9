package org.daqfabric.impl.northbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.daqfabric.impl.engine.doctor.DiagnosisInput;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Protocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Listeners;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.listeners.Listener;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;

class ListenerWriterTest {
    private static final DiagnosisInput.Listener OPEN =
        new DiagnosisInput.Listener(Protocol.OPENFLOW, true, "10.0.0.1", false, 6653, true);
    private static final DiagnosisInput.Listener TAKEN =
        new DiagnosisInput.Listener(Protocol.OVSDB, false, "127.0.0.1", true, 6640, false);
    private static final DiagnosisInput.Listener FREED =
        new DiagnosisInput.Listener(Protocol.OVSDB, false, "127.0.0.1", true, 6640, true);

    private final InMemoryBroker broker = new InMemoryBroker();
    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();

    @AfterEach
    void close() {
        executor.shutdownNow();
    }

    /** A port that another program has is shown with what to do, until it is free; two members show theirs. */
    @Test
    void showsWhoHasThePort() throws Exception {
        ListenerWriter other = new ListenerWriter("member-2", broker.broker(), executor);
        other.publish(List.of(OPEN));
        ListenerWriter writer = new ListenerWriter("member-1", broker.broker(), executor);
        writer.publish(List.of(OPEN, TAKEN));
        await().until(() -> published().size() == 3);
        assertThat(published()).filteredOn(each -> each.getProtocol() == Listener.Protocol.Ovsdb).singleElement()
            .satisfies(each -> assertThat(each.getLastError()).contains("127.0.0.1:6640", "ss -ltnp"));
        assertThat(published()).filteredOn(Listener::getOpen).hasSize(2).allMatch(Listener::getTls)
            .allMatch(each -> each.getLastError() == null);
        writer.publish(List.of(OPEN, FREED));
        await().until(() -> published().stream().allMatch(Listener::getOpen));
        writer.close();
        await().until(() -> published().size() == 1);
        assertThat(published()).allMatch(each -> each.getMember().equals("member-2"));
    }

    private Collection<Listener> published() throws Exception {
        Listeners all = broker.read(LogicalDatastoreType.OPERATIONAL,
            DataObjectIdentifier.builder(Listeners.class).build());
        return all == null ? List.of() : all.nonnullListener().values();
    }
}
