package org.daqfabric.impl.openflow;

import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import org.opendaylight.openflowplugin.api.openflow.device.DeviceInfo;
import org.opendaylight.openflowplugin.api.openflow.mastership.MastershipChangeException;
import org.opendaylight.openflowplugin.api.openflow.mastership.MastershipChangeServiceManager;
import org.opendaylight.openflowplugin.api.openflow.mastership.ReconciliationFrameworkEvent;
import org.opendaylight.yang.gen.v1.urn.opendaylight.params.xml.ns.yang.openflowplugin.rf.state.rev170713.ResultState;
import org.opendaylight.yangtools.concepts.Registration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the plugin from polling every switch twice. Where nobody has registered to reconcile switches, it starts two
 * pollers for a connection, and forgets to stop one when the connection goes away: every reconnection would cost a
 * thread and a warning per second. So this registers, and has nothing to reconcile.
 *
 * <p>To be made before switches connect, on every member of a cluster.
 */
public final class PollingGuard implements ReconciliationFrameworkEvent, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PollingGuard.class);

    private final Registration registration;

    public PollingGuard(final MastershipChangeServiceManager manager) {
        Registration registered = null;
        try {
            registered = manager.reconciliationFrameworkRegistration(this);
        } catch (MastershipChangeException e) {
            LOG.debug("Another application has registered already, which serves as well", e);
        }
        registration = registered;
    }

    @Override
    public ListenableFuture<ResultState> onDevicePrepared(final DeviceInfo device) {
        return Futures.immediateFuture(ResultState.DONOTHING);
    }

    @Override
    public ListenableFuture<Void> onDeviceDisconnected(final DeviceInfo device) {
        return Futures.immediateVoidFuture();
    }

    @Override
    public void close() {
        if (registration != null) {
            registration.close();
        }
    }
}
