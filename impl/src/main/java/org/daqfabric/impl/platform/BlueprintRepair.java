package org.daqfabric.impl.platform;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.daqfabric.impl.async.Repeating;
import org.opendaylight.aaa.encrypt.AAAEncryptionService;
import org.opendaylight.aaa.shiro.web.env.AAAShiroWebEnvironment;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts a bundle of AAA anew whose service was lost for good, without which there is no login and no RESTCONF.
 *
 * <p>AAA stops and starts its encryption service when the stored key changes, which it does when a cluster starts for
 * the first time and two members make a key. What needs the service goes and comes with it. If it goes while Blueprint
 * is registering such a service, Blueprint (Aries 1.10.3, {@code ServiceRecipe.register}) remembers the registration
 * that has just been taken back as one that stands, and never registers the service again.
 */
@Component(service = { })
public final class BlueprintRepair implements AutoCloseable {
    /** A service that was not lost for good is there again within a second. */
    static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Logger LOG = LoggerFactory.getLogger(BlueprintRepair.class);
    private static final long CHECK_MILLIS = 1_000;
    private static final String CONTAINER = "org.osgi.service.blueprint.container.BlueprintContainer";
    private static final String CERTIFICATES = "org.opendaylight.aaa.cert.api.ICertificateManager";
    private static final List<Watched> AAA = List.of(
        new Watched("org.opendaylight.aaa.cert", CERTIFICATES, AAAEncryptionService.class.getName()),
        new Watched("org.opendaylight.aaa.shiro", AAAShiroWebEnvironment.class.getName(), CERTIFICATES));

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
        Thread.ofPlatform().daemon().name("daqfabric-blueprint").factory());
    private final BundleContext bundles;
    private final LongSupplier nanos;
    /** Since when services are missing. */
    private final Map<Watched, Long> missing = new HashMap<>();

    /**
     * A bundle that registers a service through Blueprint.
     *
     * @param bundle its symbolic name
     * @param service the interface of the service
     * @param needs another service: while that is there, and the bundle has started, this one is there
     */
    private record Watched(String bundle, String service, String needs) {
    }

    /** Checks periodically from now on. */
    @Activate
    public BlueprintRepair(BundleContext bundles) {
        this(bundles, System::nanoTime);
        thread.scheduleWithFixedDelay(new Repeating("looking for services of AAA", thread, this::check), CHECK_MILLIS,
            CHECK_MILLIS, TimeUnit.MILLISECONDS);
    }

    BlueprintRepair(BundleContext bundles, LongSupplier nanos) {
        this.bundles = bundles;
        this.nanos = nanos;
    }

    void check() {
        for (Watched each : AAA) {
            ServiceReference<?> container =
                find(CONTAINER, "(osgi.blueprint.container.symbolicname=" + each.bundle() + ")");
            if (container == null || find(each.service(), null) != null || find(each.needs(), null) == null) {
                missing.remove(each);
            } else if (nanos.getAsLong() - missing.computeIfAbsent(each, any -> nanos.getAsLong())
                >= PATIENCE.toNanos()) {
                missing.remove(each);
                restart(each, container);
            }
        }
    }

    private ServiceReference<?> find(String service, String filter) {
        try {
            ServiceReference<?>[] found = bundles.getAllServiceReferences(service, filter);
            return found == null ? null : found[0];
        } catch (InvalidSyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void restart(Watched watched, ServiceReference<?> container) {
        Bundle bundle = container.getBundle();
        if (bundle == null) {
            return; // it has just stopped
        }
        LOG.warn("bundle {} has started, and its service {} is missing: without it there is no login and no RESTCONF,"
            + " so the bundle is started anew", watched.bundle(), watched.service());
        try {
            bundle.stop(Bundle.STOP_TRANSIENT);
            bundle.start(Bundle.START_TRANSIENT);
        } catch (BundleException e) {
            LOG.error("bundle {} cannot be started anew: restart the controller", watched.bundle(), e);
        }
    }

    @Deactivate
    @Override
    public void close() {
        thread.shutdownNow();
    }
}
