package org.daqfabric.impl.platform;

import static java.util.Objects.requireNonNull;

import com.google.common.util.concurrent.FutureCallback;
import com.google.common.util.concurrent.MoreExecutors;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.jdt.annotation.Nullable;
import org.opendaylight.aaa.encrypt.AAAEncryptionService;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.common.api.CommitInfo;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.config.aaa.authn.encrypt.service.config.rev240202.AaaEncryptServiceConfig;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes sure that a restarted controller has RESTCONF.
 *
 * <p>AAA creates its encryption service, without which there is no RESTCONF, when its stored configuration is first
 * reported. That report can arrive before AAA's component has finished its constructor (a field is not set yet), and is
 * then dropped for good: the controller runs, and nobody can talk to it. Seen once, in a restart of aaa 0.21.2 on a
 * busy machine; the order of events is inferred from its source, not proven. Storing the same configuration again makes
 * AAA read it again.
 */
@Component(service = { })
public final class EncryptionServiceStarter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EncryptionServiceStarter.class);
    private static final DataObjectIdentifier<AaaEncryptServiceConfig> CONFIG =
        DataObjectIdentifier.builder(AaaEncryptServiceConfig.class).build();
    private static final long CHECK_MILLIS = 5_000;

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
        Thread.ofPlatform().daemon().name("daqfabric-encryption-service-starter").factory());
    private final DataBroker broker;
    private final AtomicReference<@Nullable AAAEncryptionService> service = new AtomicReference<>();

    @Activate
    public EncryptionServiceStarter(@Reference final DataBroker broker) {
        this(broker, CHECK_MILLIS);
    }

    EncryptionServiceStarter(final DataBroker broker, final long checkMillis) {
        this.broker = requireNonNull(broker);
        timer.scheduleWithFixedDelay(this::storeAgain, checkMillis, checkMillis, TimeUnit.MILLISECONDS);
    }

    /** The service is there: nothing to do, unless AAA's bundle is started anew. */
    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
    public void bindService(final AAAEncryptionService started) {
        service.set(started);
    }

    public void unbindService(final AAAEncryptionService stopped) {
        service.compareAndSet(stopped, null);
    }

    @Deactivate
    @Override
    public void close() {
        timer.shutdownNow();
    }

    private void storeAgain() {
        if (service.get() != null) {
            return;
        }
        final var tx = broker.newReadWriteTransaction();
        tx.read(LogicalDatastoreType.CONFIGURATION, CONFIG).addCallback(new FutureCallback<>() {
            @Override
            public void onSuccess(final Optional<AaaEncryptServiceConfig> stored) {
                if (service.get() != null || timer.isShutdown() || stored.isEmpty()) {
                    // without a configuration AAA is about to create one
                    tx.cancel();
                    return;
                }
                tx.put(LogicalDatastoreType.CONFIGURATION, CONFIG, stored.orElseThrow());
                tx.commit().addCallback(new FutureCallback<CommitInfo>() {
                    @Override
                    public void onSuccess(final CommitInfo result) {
                        LOG.info("AAA did not start its encryption service, so RESTCONF cannot start: asked it again");
                    }

                    @Override
                    public void onFailure(final Throwable cause) {
                        LOG.debug("Not stored, trying again", cause);
                    }
                }, MoreExecutors.directExecutor());
            }

            @Override
            public void onFailure(final Throwable cause) {
                LOG.debug("Not read, trying again", cause);
                tx.cancel();
            }
        }, MoreExecutors.directExecutor());
    }
}
