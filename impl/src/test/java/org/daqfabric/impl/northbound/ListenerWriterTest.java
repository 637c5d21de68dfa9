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
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.listeners.Claim;
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
        other.publish(List.of(OPEN), List.of());
        ListenerWriter writer = new ListenerWriter("member-1", broker.broker(), executor);
        writer.publish(List.of(OPEN, TAKEN), List.of());
        await().until(() -> published().size() == 3);
        assertThat(published()).filteredOn(each -> each.getProtocol() == Listener.Protocol.Ovsdb).singleElement()
            .satisfies(each -> assertThat(each.getLastError()).contains("127.0.0.1:6640", "ss -ltnp"));
        assertThat(published()).filteredOn(Listener::getOpen).hasSize(2).allMatch(Listener::getTls)
            .allMatch(each -> each.getLastError() == null);
        writer.publish(List.of(OPEN, FREED), List.of());
        await().until(() -> published().stream().allMatch(Listener::getOpen));
        writer.close();
        await().until(() -> published().size() == 1);
        assertThat(published()).allMatch(each -> each.getMember().equals("member-2"));
    }

    /** Who claimed to be a switch is shown as long as it is told, and not after the controller has ended. */
    @Test
    void showsWhoClaimedToBeASwitch() throws Exception {
        ListenerWriter writer = new ListenerWriter("member-1", broker.broker(), executor);
        writer.publish(List.of(OPEN), List.of(new DiagnosisInput.Claim(0xdaL, "10.0.0.8", "10.0.0.2", "another has it"),
            new DiagnosisInput.Claim(0xdbL, "10.0.0.8", "", "no serial number")));
        await().until(() -> claims().size() == 2);
        assertThat(claims()).filteredOn(each -> each.getDatapathId().getValue().equals("00000000000000da"))
            .singleElement().satisfies(each -> {
                assertThat(each.getAddress().stringValue()).isEqualTo("10.0.0.8");
                assertThat(each.getKeeper().stringValue()).isEqualTo("10.0.0.2");
                assertThat(each.getReason()).isEqualTo("another has it");
            });
        writer.publish(List.of(OPEN), List.of(new DiagnosisInput.Claim(0xdbL, "10.0.0.8", "", "no serial number")));
        await().until(() -> claims().size() == 1);
        writer.close();
        await().until(() -> claims().isEmpty());
    }

    private Collection<Claim> claims() throws Exception {
        Listeners all = broker.read(LogicalDatastoreType.OPERATIONAL,
            DataObjectIdentifier.builder(Listeners.class).build());
        return all == null ? List.of() : all.nonnullClaim().values();
    }

    private Collection<Listener> published() throws Exception {
        Listeners all = broker.read(LogicalDatastoreType.OPERATIONAL,
            DataObjectIdentifier.builder(Listeners.class).build());
        return all == null ? List.of() : all.nonnullListener().values();
    }
}
