package org.daqfabric.impl.platform;

import static org.assertj.core.api.Assertions.assertThat;
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
import org.opendaylight.yang.gen.v1.urn.opendaylight.params.xml.ns.yang.openflow._switch.connection.config.rev160506._switch.connection.config.Tls;
import org.opendaylight.yang.gen.v1.urn.opendaylight.params.xml.ns.yang.openflow._switch.connection.config.rev160506._switch.connection.config.TlsBuilder;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.yang.common.Uint16;

public class OpenFlowListenerTest extends AbstractConcurrentDataBrokerTest {
    private static final SwitchConnectionConfigKey LEGACY = new SwitchConnectionConfigKey("legacy");
    private static final Tls TLS = new TlsBuilder().setKeystore("key.p12").build();

    /** OpenDaylight's own default listens everywhere; ours where the operator says. */
    @Test
    public void movesTheListenerToTheConfiguredAddress() throws Exception {
        write(OpenFlowListener.KEPT, 6653);
        try (var listener = new OpenFlowListener(getDataBroker(), "127.0.0.1", 6700, 0, null)) {
            await().until(() -> listeners().equals(List.of("127.0.0.1:6700")));
        }
    }

    /** Nobody asked for a second OpenFlow port, whenever it turns up. */
    @Test
    public void removesEveryOtherListener() throws Exception {
        write(OpenFlowListener.KEPT, 6653);
        try (var listener = new OpenFlowListener(getDataBroker(), "::1", 6653, 0, null)) {
            write(LEGACY, 6633);
            await().until(() -> listeners().equals(List.of("::1:6653")));
        }
    }

    /** Members of a cluster share the datastore: what another one sets later stays, or they would take turns for ever. */
    @Test
    public void setsTheAddressOnlyOnce() throws Exception {
        write(OpenFlowListener.KEPT, 6653);
        try (var listener = new OpenFlowListener(getDataBroker(), "127.0.0.1", 6700, 0, null)) {
            await().until(() -> listeners().equals(List.of("127.0.0.1:6700")));
            write(OpenFlowListener.KEPT, 6653);
            Thread.sleep(200);
            assertThat(listeners()).containsExactly("everywhere:6653");
        }
    }

    /** An empty address leaves OpenFlow to OpenDaylight. */
    @Test
    public void leavesListenersAloneWithoutAnAddress() throws Exception {
        write(LEGACY, 6633);
        try (var listener = new OpenFlowListener(getDataBroker(), " ", 6653, 0, null)) {
            Thread.sleep(200);
            assertThat(listeners()).containsExactly("everywhere:6633");
        }
    }

    /** TLS beside plain TCP, for the time in which switches go over. */
    @Test
    public void listensForBoth() throws Exception {
        write(OpenFlowListener.KEPT, 6653);
        try (var listener = new OpenFlowListener(getDataBroker(), "127.0.0.1", 6653, 6654, TLS)) {
            await().until(() -> listeners().equals(List.of("127.0.0.1:6653", "127.0.0.1:6654 TLS")));
        }
    }

    /** The plugin would make its own listener, a plain one, anew at every start if it were not used for TLS. */
    @Test
    public void listensForTlsAloneByTheListenerThatIsAlwaysThere() throws Exception {
        write(OpenFlowListener.KEPT, 6653);
        write(OpenFlowListener.SECOND, 6654);
        try (var listener = new OpenFlowListener(getDataBroker(), "127.0.0.1", 0, 6653, TLS)) {
            await().until(() -> listeners().equals(List.of("127.0.0.1:6653 TLS")));
        }
    }

    /** Without certificates there is no listener, rather than one that lets everybody in. */
    @Test
    public void doesNotFallBackToPlain() throws Exception {
        write(OpenFlowListener.KEPT, 6653);
        try (var listener = new OpenFlowListener(getDataBroker(), "127.0.0.1", 0, 6653, null)) {
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
        for (var key : List.of(OpenFlowListener.KEPT, OpenFlowListener.SECOND, LEGACY)) {
            try (var tx = getDataBroker().newReadOnlyTransaction()) {
                tx.read(LogicalDatastoreType.CONFIGURATION,
                    DataObjectIdentifier.builder(SwitchConnectionConfig.class, key).build()).get()
                    .ifPresent(config -> found.add((config.getAddress() == null ? "everywhere"
                        : config.getAddress().stringValue()) + ":" + config.getPort() + (config.getTls() == null ? "" : " " + config.getTransportProtocol())));
            }
        }
        return found;
    }
}
