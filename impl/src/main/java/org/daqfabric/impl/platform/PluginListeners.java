package org.daqfabric.impl.platform;

import com.google.common.util.concurrent.FutureCallback;
import com.google.common.util.concurrent.MoreExecutors;
import java.util.List;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.DataTreeChangeListener;
import org.opendaylight.mdsal.binding.api.DataTreeModification;
import org.opendaylight.mdsal.common.api.CommitInfo;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.opendaylight.params.xml.ns.yang.openflow._switch.connection.config.rev160506.SwitchConnectionConfig;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.binding.DataObjectReference;
import org.opendaylight.yangtools.concepts.Registration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the listeners of OpenDaylight's OpenFlow plugin, if daqfabric is installed beside it. The plugin takes them
 * from the datastore, where files put them at every start, on all addresses and on daqfabric's port. They are removed
 * whenever they appear, so that only those of {@code etc/org.daqfabric.cfg} exist.
 */
@Component(service = { })
public final class PluginListeners implements DataTreeChangeListener<SwitchConnectionConfig>, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PluginListeners.class);

    private final DataBroker broker;
    private final Registration registration;

    @Activate
    public PluginListeners(@Reference final DataBroker broker) {
        this.broker = broker;
        registration = broker.registerTreeChangeListener(LogicalDatastoreType.CONFIGURATION,
            DataObjectReference.builder(SwitchConnectionConfig.class).build(), this);
    }

    @Override
    public void onDataTreeChanged(final List<DataTreeModification<SwitchConnectionConfig>> changes) {
        for (var change : changes) {
            final var present = change.getRootNode().dataAfter();
            if (present != null) {
                remove(present);
            }
        }
    }

    private void remove(final SwitchConnectionConfig other) {
        final var tx = broker.newWriteOnlyTransaction();
        tx.delete(LogicalDatastoreType.CONFIGURATION,
            DataObjectIdentifier.builder(SwitchConnectionConfig.class, other.key()).build());
        tx.commit().addCallback(new FutureCallback<CommitInfo>() {
            @Override
            public void onSuccess(final CommitInfo result) {
                LOG.info("The OpenFlow plugin's listener on port {} removed", other.getPort());
            }

            @Override
            public void onFailure(final Throwable cause) {
                LOG.error("The OpenFlow plugin's listener on port {} could not be removed. Check what listens with "
                    + "'ss -ltnp' and restart the controller", other.getPort(), cause);
            }
        }, MoreExecutors.directExecutor());
    }

    @Deactivate
    @Override
    public void close() {
        registration.close();
    }
}
