package org.daqfabric.impl;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.daqfabric.impl.async.Causes;
import org.daqfabric.impl.controller.spi.Installation;
import org.daqfabric.impl.controller.spi.InstallationStore;
import org.daqfabric.impl.controller.spi.Timer;
import org.daqfabric.impl.northbound.DatastoreInstallationStore;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which installation this is, once that is known: until then no node is changed. */
final class OwnInstallation implements Supplier<Installation>, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OwnInstallation.class);
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final DatastoreInstallationStore store;
    private final Timer timer;
    private volatile Installation known = Installation.UNKNOWN;
    private volatile Runnable changed = () -> { };
    private volatile boolean closed;

    OwnInstallation(DataBroker broker, Executor executor, Timer timer) {
        this.timer = timer;
        store = new DatastoreInstallationStore(broker, executor, this::set);
    }

    /** Sets what is called when it is known, or another one by now. */
    void onChange(Runnable task) {
        changed = task;
    }

    @Override
    public Installation get() {
        return known;
    }

    boolean isKnown() {
        return !known.id().isEmpty();
    }

    InstallationStore store() {
        return store;
    }

    /** This controller is active: at its first start it makes an id. */
    void begin() {
        store.load().whenComplete((installation, failure) -> {
            if (failure == null) {
                set(installation);
            } else if (!closed) {
                LOG.warn("Which installation this is cannot be read or stored, so that no node is changed yet; tried"
                    + " again: {}", Causes.inWords(Causes.of(failure)));
                timer.after(RETRY, this::begin);
            }
        });
    }

    private void set(Installation installation) {
        boolean isNew = !installation.equals(known);
        known = installation;
        if (isNew) {
            LOG.info("This is installation {}", installation.id());
            changed.run();
        }
    }

    @Override
    public void close() {
        closed = true;
        store.close();
    }
}
