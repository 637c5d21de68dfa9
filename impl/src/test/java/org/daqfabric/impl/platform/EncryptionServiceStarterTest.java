package org.daqfabric.impl.platform;

import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.Before;
import org.junit.Test;
import org.opendaylight.aaa.encrypt.AAAEncryptionService;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.dom.adapter.test.AbstractConcurrentDataBrokerTest;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.config.aaa.authn.encrypt.service.config.rev240202.AaaEncryptServiceConfig;
import org.opendaylight.yang.gen.v1.config.aaa.authn.encrypt.service.config.rev240202.AaaEncryptServiceConfigBuilder;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;

public class EncryptionServiceStarterTest extends AbstractConcurrentDataBrokerTest {
    private static final DataObjectIdentifier<AaaEncryptServiceConfig> CONFIG =
        DataObjectIdentifier.builder(AaaEncryptServiceConfig.class).build();

    private final AtomicInteger reports = new AtomicInteger();
    private final AAAEncryptionService service = mock(AAAEncryptionService.class);
    private DataBroker broker;

    @Before
    public void storeConfiguration() throws Exception {
        broker = getDataBroker();
        final var tx = broker.newWriteOnlyTransaction();
        tx.put(LogicalDatastoreType.CONFIGURATION, CONFIG, new AaaEncryptServiceConfigBuilder()
            .setEncryptKey("0123456789ab").setEncryptSalt("salt").build());
        tx.commit().get();
        broker.registerDataListener(LogicalDatastoreType.CONFIGURATION, CONFIG, data -> reports.incrementAndGet());
        await().until(() -> reports.get() == 1);
    }

    /** A listener that missed the first report of its configuration gets another one. */
    @Test
    public void reportsTheStoredConfigurationAgain() {
        try (var starter = new EncryptionServiceStarter(broker, 10)) {
            await().atMost(Duration.ofSeconds(5)).until(() -> reports.get() > 1);
        }
    }

    /** As when AAA's bundle is started anew. */
    @Test
    public void asksAgainForAServiceThatIsGone() {
        try (var starter = new EncryptionServiceStarter(broker, 10)) {
            starter.bindService(service);
            starter.unbindService(service);
            final int before = reports.get();
            await().atMost(Duration.ofSeconds(5)).until(() -> reports.get() > before);
        }
    }

    /** On a healthy start nothing is written. */
    @Test
    public void leavesARunningServiceAlone() {
        try (var starter = new EncryptionServiceStarter(broker, 100)) {
            starter.bindService(service);
            await().during(Duration.ofMillis(300)).until(() -> reports.get() == 1);
        }
    }
}
