package org.daqfabric.impl.platform;

import static java.util.Objects.requireNonNull;

import com.google.common.net.InetAddresses;
import com.google.common.util.concurrent.FutureCallback;
import com.google.common.util.concurrent.MoreExecutors;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.daqfabric.impl.tls.TlsException;
import org.daqfabric.impl.tls.TlsFiles;
import org.daqfabric.impl.tls.TlsIdentity;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.DataTreeChangeListener;
import org.opendaylight.mdsal.binding.api.DataTreeModification;
import org.opendaylight.mdsal.binding.api.WriteTransaction;
import org.opendaylight.mdsal.common.api.CommitInfo;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.inet.types.rev130715.IetfInetUtil;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.inet.types.rev130715.IpAddress;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.config.rev140630.TransportProtocol;
import org.opendaylight.yang.gen.v1.urn.opendaylight.params.xml.ns.yang.openflow._switch.connection.config.rev160506.SwitchConnectionConfig;
import org.opendaylight.yang.gen.v1.urn.opendaylight.params.xml.ns.yang.openflow._switch.connection.config.rev160506.SwitchConnectionConfigBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.params.xml.ns.yang.openflow._switch.connection.config.rev160506.SwitchConnectionConfigKey;
import org.opendaylight.yang.gen.v1.urn.opendaylight.params.xml.ns.yang.openflow._switch.connection.config.rev160506._switch.connection.config.Tls;
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
 * Gives this controller exactly the OpenFlow listeners of {@code etc/org.daqfabric.cfg}: one for plain TCP, one for TLS,
 * or both.
 *
 * <p>The OpenFlow plugin takes its listeners from the datastore, which remembers what files said at the first start:
 * changing a file later has no effect. Here the configured listeners are put right once per start (once, because members
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

        @AttributeDefinition(description = "For plain TCP, 0 for none", min = "0", max = "65535")
        int openflow$_$port() default 6653;

        @AttributeDefinition(description = "For TLS, 0 for none", min = "0", max = "65535")
        int openflow$_$tls$_$port() default 0;

        @AttributeDefinition(description = "PEM file of the controller's key")
        String tls$_$private$_$key() default "";

        @AttributeDefinition(description = "PEM file of the controller's certificate")
        String tls$_$certificate() default "";

        @AttributeDefinition(description = "PEM file of the certificates by which switches are trusted")
        String tls$_$ca$_$certificate() default "";
    }

    /**
     * The plugin makes it anew at every start if it is not there, for plain TCP; so it is the one that is used first,
     * whatever for.
     */
    static final SwitchConnectionConfigKey KEPT =
        new SwitchConnectionConfigKey("openflow-switch-connection-provider-default-impl");
    static final SwitchConnectionConfigKey SECOND = new SwitchConnectionConfigKey("daqfabric-tls");

    private static final Logger LOG = LoggerFactory.getLogger(OpenFlowListener.class);

    private final Map<SwitchConnectionConfigKey, Wanted> wanted = new LinkedHashMap<>();
    private final DataBroker broker;
    private final IpAddress address;
    private final Registration registration;

    private boolean putRight;

    /** What one of the listeners is to be; without {@code tls} for plain TCP. */
    private record Wanted(Uint16 port, Tls tls) {
    }

    @Activate
    public OpenFlowListener(@Reference final DataBroker broker, final Configuration configuration) {
        this(broker, configuration.openflow$_$address(), configuration.openflow$_$port(), tlsPort(configuration),
            tls(configuration));
    }

    OpenFlowListener(final DataBroker broker, final String address, final int port, final int tlsPort, final Tls tls) {
        this.broker = requireNonNull(broker);
        if (address.isBlank()) {
            this.address = null;
            registration = () -> { };
            return;
        }
        if (port > 0) {
            wanted.put(KEPT, new Wanted(Uint16.valueOf(port), null));
        }
        if (tlsPort > 0 && tls != null) {
            wanted.put(wanted.isEmpty() ? KEPT : SECOND, new Wanted(Uint16.valueOf(tlsPort), tls));
        }
        this.address = IetfInetUtil.ipAddressFor(InetAddresses.forString(address.trim()));
        registration = broker.registerTreeChangeListener(LogicalDatastoreType.CONFIGURATION,
            DataObjectReference.builder(SwitchConnectionConfig.class).build(), this);
    }

    private static int tlsPort(final Configuration configuration) {
        return configuration.openflow$_$address().isBlank() ? 0 : configuration.openflow$_$tls$_$port();
    }

    /** Null where there is to be no TLS, and where there cannot be. */
    private static Tls tls(final Configuration configuration) {
        if (tlsPort(configuration) == 0) {
            return null;
        }
        try {
            return OpenFlowTls.write(TlsIdentity.read(TlsFiles.needed("openflow-tls-port",
                configuration.tls$_$private$_$key(), configuration.tls$_$certificate(),
                configuration.tls$_$ca$_$certificate())), OpenFlowTls.FOLDER);
        } catch (TlsException e) {
            LOG.error("No OpenFlow over TLS. {}. Then restart the controller", e.getMessage(), e);
            return null;
        }
    }

    @Override
    public synchronized void onDataTreeChanged(final List<DataTreeModification<SwitchConnectionConfig>> changes) {
        final var present = new HashMap<SwitchConnectionConfigKey, SwitchConnectionConfig>();
        for (var change : changes) {
            final var after = change.getRootNode().dataAfter();
            if (after != null) {
                present.put(after.key(), after);
            }
        }
        present.forEach((key, config) -> {
            if (!wanted.containsKey(key)) {
                final var tx = broker.newWriteOnlyTransaction();
                tx.delete(LogicalDatastoreType.CONFIGURATION, path(key));
                commit(tx, "OpenFlow listener on port " + config.getPort() + " removed");
            }
        });
        final var model = present.get(KEPT);
        if (model != null && !putRight) {
            putRight = true;
            wanted.forEach((key, want) -> {
                final var config = new SwitchConnectionConfigBuilder(model)
                    .withKey(key)
                    .setAddress(address)
                    .setPort(want.port)
                    .setTransportProtocol(want.tls == null ? TransportProtocol.TCP : TransportProtocol.TLS)
                    .setTls(want.tls)
                    .build();
                if (!config.equals(present.get(key))) {
                    final var tx = broker.newWriteOnlyTransaction();
                    tx.put(LogicalDatastoreType.CONFIGURATION, path(key), config);
                    commit(tx, "OpenFlow listener set to " + (want.tls == null ? "tcp:" : "ssl:")
                        + address.stringValue() + ":" + want.port);
                }
            });
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
