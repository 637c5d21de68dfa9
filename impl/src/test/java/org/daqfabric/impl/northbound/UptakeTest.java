package org.daqfabric.impl.northbound;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Fabrics;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Name;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.Fabric;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.FabricBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.FabricKey;

/** Who asks after a write waits until the write is taken up. */
class UptakeTest {
    private final InMemoryBroker broker = new InMemoryBroker();
    private final Uptake uptake = new Uptake(broker.broker());

    @Test
    void nothingStoredIsNothingToWaitFor() throws Exception {
        asked().get(1, TimeUnit.MINUTES);
    }

    @Test
    void whatIsStoredIsWaitedFor() throws Exception {
        Fabrics stored = broker.fabrics(broker.prototype());
        broker.put(LogicalDatastoreType.CONFIGURATION, InMemoryBroker.FABRICS, stored);
        Fabric fabric = stored.nonnullFabric().get(new FabricKey(new Name("prototype")));
        CompletableFuture<Void> first = asked();
        uptake.took("prototype", Optional.of(new FabricBuilder(fabric).setPolicy(null).build()));
        assertThat(first).as("another one was taken up").isNotDone();
        uptake.took("prototype", Optional.of(fabric));
        first.get(1, TimeUnit.MINUTES);
        asked().get(1, TimeUnit.MINUTES);
        uptake.took("other", Optional.of(fabric));
        CompletableFuture<Void> second = asked();
        assertThat(second).as("one that is removed is not taken up yet").isNotDone();
        uptake.took("other", Optional.empty());
        second.get(1, TimeUnit.MINUTES);
    }

    private CompletableFuture<Void> asked() {
        return uptake.ofWhatIsStored().toCompletableFuture();
    }
}
