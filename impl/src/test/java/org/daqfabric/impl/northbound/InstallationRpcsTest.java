package org.daqfabric.impl.northbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.daqfabric.impl.controller.spi.Installation;
import org.junit.jupiter.api.Test;
import org.opendaylight.yang.svc.v1.urn.daqfabric.operations.rev261121.YangModuleInfoImpl;

/** The rpc take-over in JSON. */
class InstallationRpcsTest {
    private final InMemoryBroker broker = new InMemoryBroker();
    private final SortedSet<String> others = new TreeSet<>();
    private volatile Installation told = Installation.UNKNOWN;
    private final DatastoreInstallationStore store =
        new DatastoreInstallationStore(broker.broker(), Runnable::run, changed -> told = changed);
    private final RpcCalls calls = new RpcCalls(YangModuleInfoImpl.getInstance().getName(), service ->
        new InstallationRpcs(service, store, () -> CompletableFuture.completedFuture(others)));

    /** What is there can be taken over, again and again; what is not there is refused with what is. */
    @Test
    void bridgesThatAreThereAreTakenOver() throws Exception {
        String own = store.load().toCompletableFuture().get().id();
        assertRefused("{}", "is missing");
        assertRefused("{'installation':'old'}", "no bridge of a connected node belongs to installation old, or to any");
        others.addAll(List.of("old", "older"));
        assertRefused("{'installation':'oldest'}", "installation oldest; they belong to old, older");
        calls.call("take-over", "{'installation':'old'}");
        others.remove("old");
        calls.call("take-over", "{'installation':'old'}");
        calls.call("take-over", "{'installation':'" + own + "'}");
        await().untilAsserted(() -> assertThat(told).isEqualTo(Installation.of(own).takenOver(List.of("old"))));
    }

    private void assertRefused(String input, String text) {
        assertThatThrownBy(() -> calls.call("take-over", input)).hasMessageContaining(text);
    }
}
