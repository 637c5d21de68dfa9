package org.daqfabric.impl.northbound;

import java.util.List;
import java.util.Optional;
import org.daqfabric.impl.controller.spi.ConfigListener;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.DataTreeChangeListener;
import org.opendaylight.mdsal.binding.api.DataTreeModification;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Fabrics;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.Fabric;
import org.opendaylight.yangtools.binding.DataObjectReference;
import org.opendaylight.yangtools.concepts.Registration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes the configured fabrics to a {@link ConfigListener}: first all that are stored, then every change, in order and
 * always as a whole fabric. A stored fabric that is not valid, because it was written while nothing checked it, is not
 * passed on: the listener keeps the last valid one.
 */
public final class ConfigReader implements DataTreeChangeListener<Fabric>, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ConfigReader.class);

    private final ConfigListener listener;
    private final Uptake uptake;
    private final Registration registration;

    public ConfigReader(DataBroker broker, ConfigListener listener, Uptake uptake) {
        this.listener = listener;
        this.uptake = uptake;
        registration = broker.registerTreeChangeListener(LogicalDatastoreType.CONFIGURATION,
            DataObjectReference.builder(Fabrics.class).child(Fabric.class).build(), this);
    }

    @Override
    public void onDataTreeChanged(List<DataTreeModification<Fabric>> changes) {
        for (DataTreeModification<Fabric> change : changes) {
            Fabric after = change.getRootNode().dataAfter();
            if (after != null) {
                changed(after);
                uptake.took(after.requireName().getValue(), Optional.of(after));
            } else if (change.getRootNode().dataBefore() != null) {
                String fabric = change.getRootNode().dataBefore().requireName().getValue();
                LOG.info("Fabric {} was removed from the configuration", fabric);
                listener.fabricRemoved(fabric);
                uptake.took(fabric, Optional.empty());
            }
        }
        listener.configurationRead();
    }

    @Override
    public void onInitialData() {
        listener.configurationRead();
    }

    private void changed(Fabric fabric) {
        CheckedFabrics check = CheckedFabrics.of(List.of(fabric));
        if (!check.problems().isEmpty()) {
            LOG.error("Fabric {} is stored although it is not valid; it keeps running as before until this is "
                + "corrected: {}", fabric.requireName().getValue(), ProblemText.of(check.problems()));
            return;
        }
        check.specs().forEach(listener::fabricChanged);
    }

    @Override
    public void close() {
        registration.close();
    }
}
