package org.daqfabric.impl.northbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Link;
import org.daqfabric.impl.controller.spi.ConfigListener;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.LinkRate;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Name;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.Fabric;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.FabricBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.FabricKey;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.yang.common.Decimal64;

class ConfigReaderTest {
    private static final LogicalDatastoreType CONFIG = LogicalDatastoreType.CONFIGURATION;
    private static final DataObjectIdentifier<Fabric> PROTOTYPE = InMemoryBroker.FABRICS.toBuilder()
        .child(Fabric.class, new FabricKey(new Name("prototype"))).build();

    private final InMemoryBroker broker = new InMemoryBroker();
    private final Heard heard = new Heard();
    private ConfigReader reader;

    private static final class Heard implements ConfigListener {
        final List<FabricSpec> specs = new CopyOnWriteArrayList<>();
        final List<String> events = new CopyOnWriteArrayList<>();
        /** Number of events before the configuration was reported as read; null until then. */
        volatile Integer read;

        @Override
        public void fabricChanged(FabricSpec spec) {
            specs.add(spec);
            events.add(spec.name());
        }

        @Override
        public void fabricRemoved(String fabric) {
            events.add("-" + fabric);
        }

        @Override
        public void configurationRead() {
            read = events.size();
        }
    }

    @BeforeEach
    void writePrototype() throws Exception {
        broker.put(CONFIG, InMemoryBroker.FABRICS, broker.fabrics(broker.prototype()));
    }

    @AfterEach
    void close() {
        if (reader != null) {
            reader.close();
        }
    }

    private void listen() {
        reader = new ConfigReader(broker.broker(), heard, new Uptake(broker.broker()));
        await().until(() -> heard.events.contains("prototype"));
    }

    /** After a restart the controller is told the stored configuration without another write. */
    @Test
    void tellsOfWhatIsStored() {
        listen();

        assertThat(heard.specs).singleElement().satisfies(spec -> assertThat(spec.links()).hasSize(32));
    }

    /** Only after all stored fabrics have been reported is the configuration reported as read. */
    @Test
    void tellsWhenAllIsRead() throws Exception {
        listen();
        await().until(() -> heard.read != null);
        assertThat(heard.read).isEqualTo(1);

        reader.close();
        broker.delete(CONFIG, InMemoryBroker.FABRICS);
        Heard nothing = new Heard();
        reader = new ConfigReader(broker.broker(), nothing, new Uptake(broker.broker()));
        await().until(() -> nothing.read != null);
        assertThat(nothing.events).isEmpty();
    }

    /** A change of one leaf is reported as the whole fabric. */
    @Test
    void tellsOfAChangeAsAWholeFabric() throws Exception {
        listen();
        var tx = broker.broker().newWriteOnlyTransaction();
        tx.merge(CONFIG, PROTOTYPE, new FabricBuilder().setName(new Name("prototype"))
            .setLinkCapacity(new LinkRate(Decimal64.valueOf("40.000"))).build());
        tx.commit().get();

        await().until(() -> heard.specs.size() == 2);
        assertThat(heard.specs.get(1).links()).hasSize(32).extracting(Link::capacity).containsOnly(40.0);
    }

    /** Changes, also removals, are reported in their order, for each of several fabrics. */
    @Test
    void tellsInOrder() throws Exception {
        listen();
        broker.put(CONFIG, InMemoryBroker.FABRICS.toBuilder().child(Fabric.class, new FabricKey(new Name("other")))
            .build(), new FabricBuilder().setName(new Name("other")).build());
        broker.delete(CONFIG, PROTOTYPE);
        broker.put(CONFIG, PROTOTYPE, new FabricBuilder().setName(new Name("prototype")).build());
        broker.delete(CONFIG, InMemoryBroker.FABRICS);

        await().until(() -> heard.events.size() >= 6);
        assertThat(heard.events.subList(0, 4)).containsExactly("prototype", "other", "-prototype", "prototype");
        assertThat(heard.events.subList(4, 6)).containsExactlyInAnyOrder("-other", "-prototype");
    }

    /** A contradictory configuration that was stored unchecked is not passed on to the running fabric. */
    @Test
    void withholdsWhatIsNotValid() throws Exception {
        listen();
        broker.put(CONFIG, PROTOTYPE, broker.fabrics(broker.parse("""
            {"daqfabric:fabrics": {"fabric": [{"name": "prototype", "plane": [{"id": 1}]}]}}"""))
            .nonnullFabric().get(new FabricKey(new Name("prototype"))));
        broker.delete(CONFIG, PROTOTYPE);

        await().until(() -> heard.events.contains("-prototype"));
        assertThat(heard.events).containsExactly("prototype", "-prototype");
    }

    /** Nothing is reported after closing. */
    @Test
    void hearsNothingOnceClosed() throws Exception {
        listen();
        reader.close();
        broker.delete(CONFIG, PROTOTYPE);

        await().during(java.time.Duration.ofMillis(200)).until(() -> heard.events.size() == 1);
    }
}
