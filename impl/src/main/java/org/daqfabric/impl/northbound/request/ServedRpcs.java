package org.daqfabric.impl.northbound.request;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.opendaylight.mdsal.dom.api.DOMRpcAvailabilityListener;
import org.opendaylight.mdsal.dom.api.DOMRpcIdentifier;
import org.opendaylight.mdsal.dom.api.DOMRpcImplementation;
import org.opendaylight.mdsal.dom.api.DOMRpcService;
import org.opendaylight.yangtools.concepts.Registration;
import org.opendaylight.yangtools.yang.common.QName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which rpcs are implemented at this moment, here or on another member of the cluster. Those that need an active
 * controller are not while the fabrics begin again or another member becomes active.
 */
final class ServedRpcs implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ServedRpcs.class);
    /** Longer than OpenDaylight takes to tell its listeners. */
    private static final long LIMIT_SECONDS = 1;

    private final DOMRpcService rpcs;
    private final Registration registration;
    private final Map<QName, Service> services = new ConcurrentHashMap<>();

    /**
     * Of one rpc.
     *
     * @param withdrawn how often it was withdrawn
     */
    private record Service(boolean available, int withdrawn) {
        private static final Service NEVER = new Service(false, 0);
    }

    ServedRpcs(DOMRpcService rpcs) {
        this.rpcs = rpcs;
        registration = rpcs.registerRpcListener(new DOMRpcAvailabilityListener() {
            @Override
            public void onRpcAvailable(Collection<DOMRpcIdentifier> begun) {
                begun.forEach(each -> services.compute(each.getType(), (name, known) ->
                    new Service(true, known == null ? 0 : known.withdrawn)));
            }

            @Override
            public void onRpcUnavailable(Collection<DOMRpcIdentifier> ended) {
                ended.forEach(each -> services.compute(each.getType(), (name, known) ->
                    new Service(false, known == null ? 1 : known.withdrawn + 1)));
            }
        });
    }

    /** Whether an rpc is implemented now. */
    boolean isServed(QName rpc) {
        if (!service(rpc).available) {
            catchUp();
        }
        return service(rpc).available;
    }

    /** Whether an rpc has been implemented all the time since now, whenever that is asked. */
    BooleanSupplier since(QName rpc) {
        int before = service(rpc).withdrawn;
        return () -> {
            catchUp();
            Service service = service(rpc);
            return service.available && service.withdrawn == before;
        };
    }

    private Service service(QName rpc) {
        return services.getOrDefault(rpc, Service.NEVER);
    }

    /**
     * Waits until all is told that has happened, as OpenDaylight tells its listeners later: one after another, and a
     * new one last.
     */
    private void catchUp() {
        CountDownLatch told = new CountDownLatch(1);
        try (Registration last = rpcs.registerRpcListener(new First(told))) {
            if (!told.await(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("OpenDaylight has not told within {} s which rpcs are served", LIMIT_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Is told once, of one implementation that there is as it registers: of all of them it could be told by changes
     * that were made before, with more of them to come.
     */
    private static final class First implements DOMRpcAvailabilityListener {
        private final CountDownLatch told;
        private DOMRpcImplementation one;

        First(CountDownLatch told) {
            this.told = told;
        }

        @Override
        public synchronized boolean acceptsImplementation(DOMRpcImplementation implementation) {
            if (one == null) {
                one = implementation;
            }
            return implementation.equals(one);
        }

        @Override
        public void onRpcAvailable(Collection<DOMRpcIdentifier> begun) {
            told.countDown();
        }

        @Override
        public void onRpcUnavailable(Collection<DOMRpcIdentifier> ended) {
            told.countDown();
        }
    }

    @Override
    public void close() {
        registration.close();
    }
}
