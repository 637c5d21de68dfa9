package org.daqfabric.impl.platform;

import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.ExecutionException;
import org.junit.Test;
import org.opendaylight.mdsal.binding.dom.adapter.test.AbstractConcurrentDataBrokerTest;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.config.rev140630.TransportProtocol;
import org.opendaylight.yang.gen.v1.urn.opendaylight.params.xml.ns.yang.openflow._switch.connection.config.rev160506.SwitchConnectionConfig;
import org.opendaylight.yang.gen.v1.urn.opendaylight.params.xml.ns.yang.openflow._switch.connection.config.rev160506.SwitchConnectionConfigBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.params.xml.ns.yang.openflow._switch.connection.config.rev160506.SwitchConnectionConfigKey;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.yang.common.Uint16;

public class PluginListenersTest extends AbstractConcurrentDataBrokerTest {
    private static final SwitchConnectionConfigKey DEFAULT = new SwitchConnectionConfigKey("default");
    private static final SwitchConnectionConfigKey LEGACY = new SwitchConnectionConfigKey("legacy");

    /** OpenDaylight's own OpenFlow ports are not wanted, whenever they appear. */
    @Test
    public void removesEveryOtherListener() throws Exception {
        write(DEFAULT, 6653);
        try (var listener = new PluginListeners(getDataBroker())) {
            await().until(() -> listeners().isEmpty());
            write(LEGACY, 6633);
            await().until(() -> listeners().isEmpty());
        }
    }

    private void write(final SwitchConnectionConfigKey key, final int port)
            throws InterruptedException, ExecutionException {
        final var tx = getDataBroker().newWriteOnlyTransaction();
        tx.put(LogicalDatastoreType.CONFIGURATION, DataObjectIdentifier.builder(SwitchConnectionConfig.class, key)
            .build(), new SwitchConnectionConfigBuilder().withKey(key).setPort(Uint16.valueOf(port))
                .setTransportProtocol(TransportProtocol.TCP).build());
        tx.commit().get();
    }

    private List<String> listeners() throws InterruptedException, ExecutionException {
        final var found = new java.util.ArrayList<String>();
        for (var key : List.of(DEFAULT, LEGACY)) {
            try (var tx = getDataBroker().newReadOnlyTransaction()) {
                tx.read(LogicalDatastoreType.CONFIGURATION,
                    DataObjectIdentifier.builder(SwitchConnectionConfig.class, key).build()).get()
                    .ifPresent(config -> found.add((config.getAddress() == null ? "everywhere"
                        : config.getAddress().stringValue()) + ":" + config.getPort()));
            }
        }
        return found;
    }
}
