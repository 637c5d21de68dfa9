package org.daqfabric.impl.listen;

import static java.util.Objects.requireNonNull;

import com.google.common.net.InetAddresses;
import com.google.common.util.concurrent.FutureCallback;
import com.google.common.util.concurrent.MoreExecutors;
import java.util.List;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.DataTreeChangeListener;
import org.opendaylight.mdsal.binding.api.DataTreeModification;
import org.opendaylight.mdsal.binding.api.WriteTransaction;
import org.opendaylight.mdsal.common.api.CommitInfo;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.inet.types.rev130715.IetfInetUtil;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.inet.types.rev130715.IpAddress;
import org.opendaylight.yang.gen.v1.urn.opendaylight.params.xml.ns.yang.openflow._switch.connection.config.rev160506.SwitchConnectionConfig;
import org.opendaylight.yang.gen.v1.urn.opendaylight.params.xml.ns.yang.openflow._switch.connection.config.rev160506.SwitchConnectionConfigBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.params.xml.ns.yang.openflow._switch.connection.config.rev160506.SwitchConnectionConfigKey;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.binding.DataObjectReference;
import org.opendaylight.yangtools.concepts.Registration;
import org.opendaylight.yangtools.yang.common.Uint16;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.Designate;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives this controller exactly one OpenFlow listener, on the address and port of {@code etc/org.daqfabric.cfg}.
 *
 * <p>The OpenFlow plugin takes its listeners from the datastore, which remembers what files said at the first start:
 * changing a file later has no effect. Here the configured listener is put right once per start (once, because members
 * of a cluster share the datastore and must not take turns over it); every other one is removed whenever it appears.
 */
@Component(service = { }, configurationPid = "org.daqfabric")
@Designate(ocd = OpenFlowListener.Configuration.class)
public final class OpenFlowListener implements DataTreeChangeListener<SwitchConnectionConfig>, AutoCloseable {
    /** Where to listen. */
    @ObjectClassDefinition(name = "daqfabric OpenFlow listener")
    public @interface Configuration {
        @AttributeDefinition(description = "Address to listen on; empty leaves OpenFlow as OpenDaylight configured it")
        String openflow$_$address() default "127.0.0.1";

        @AttributeDefinition(min = "1", max = "65535")
        int openflow$_$port() default 6653;
    }

    static final SwitchConnectionConfigKey KEPT =
        new SwitchConnectionConfigKey("openflow-switch-connection-provider-default-impl");

    private static final Logger LOG = LoggerFactory.getLogger(OpenFlowListener.class);

    private final DataBroker broker;
    private final IpAddress address;
    private final Uint16 port;
    private final Registration registration;

    private boolean putRight;

    @Activate
    public OpenFlowListener(@Reference final DataBroker broker, final Configuration configuration) {
        this(broker, configuration.openflow$_$address(), configuration.openflow$_$port());
    }

    OpenFlowListener(final DataBroker broker, final String address, final int port) {
        this.broker = requireNonNull(broker);
        this.port = Uint16.valueOf(port);
        if (address.isBlank()) {
            this.address = null;
            registration = () -> { };
            return;
        }
        this.address = IetfInetUtil.ipAddressFor(InetAddresses.forString(address.trim()));
        registration = broker.registerTreeChangeListener(LogicalDatastoreType.CONFIGURATION,
            DataObjectReference.builder(SwitchConnectionConfig.class).build(), this);
    }

    @Override
    public synchronized void onDataTreeChanged(final List<DataTreeModification<SwitchConnectionConfig>> changes) {
        for (var change : changes) {
            final var present = change.getRootNode().dataAfter();
            if (present == null) {
                continue;
            }
            if (!present.key().equals(KEPT)) {
                final var tx = broker.newWriteOnlyTransaction();
                tx.delete(LogicalDatastoreType.CONFIGURATION, path(present.key()));
                commit(tx, "OpenFlow listener on port " + present.getPort() + " removed");
            } else if (!putRight) {
                putRight = true;
                if (address.equals(present.getAddress()) && port.equals(present.getPort())) {
                    continue;
                }
                final var tx = broker.newWriteOnlyTransaction();
                tx.put(LogicalDatastoreType.CONFIGURATION, path(KEPT), new SwitchConnectionConfigBuilder(present)
                    .setAddress(address)
                    .setPort(port)
                    .build());
                commit(tx, "OpenFlow listener set to " + address.stringValue() + ":" + port);
            }
        }
    }

    @Deactivate
    @Override
    public void close() {
        registration.close();
    }

    private static DataObjectIdentifier<SwitchConnectionConfig> path(final SwitchConnectionConfigKey key) {
        return DataObjectIdentifier.builder(SwitchConnectionConfig.class, key).build();
    }

    private static void commit(final WriteTransaction tx, final String done) {
        tx.commit().addCallback(new FutureCallback<CommitInfo>() {
            @Override
            public void onSuccess(final CommitInfo result) {
                LOG.info("{}", done);
            }

            @Override
            public void onFailure(final Throwable cause) {
                LOG.error("Not done: {}. Check what listens with 'ss -ltnp' and restart the controller", done, cause);
            }
        }, MoreExecutors.directExecutor());
    }
}
