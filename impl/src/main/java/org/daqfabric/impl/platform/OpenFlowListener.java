package org.daqfabric.impl.platform;

import static java.util.Objects.requireNonNull;

import com.google.common.net.InetAddresses;
import com.google.common.util.concurrent.FutureCallback;
import com.google.common.util.concurrent.MoreExecutors;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.daqfabric.impl.openflow.Connections;
import org.daqfabric.impl.tls.TlsException;
import org.daqfabric.impl.tls.TlsFiles;
import org.daqfabric.impl.tls.TlsIdentity;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.DataTreeChangeListener;
import org.opendaylight.mdsal.binding.api.DataTreeModification;
import org.opendaylight.mdsal.common.api.CommitInfo;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.openflowjava.protocol.spi.connection.SwitchConnectionProvider;
import org.opendaylight.openflowjava.protocol.spi.connection.SwitchConnectionProviderFactory;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.inet.types.rev130715.IetfInetUtil;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.config.rev140630.TransportProtocol;
import org.opendaylight.yang.gen.v1.urn.opendaylight.params.xml.ns.yang.openflow._switch.connection.config.rev160506.SwitchConnectionConfig;
import org.opendaylight.yang.gen.v1.urn.opendaylight.params.xml.ns.yang.openflow._switch.connection.config.rev160506.SwitchConnectionConfigBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.params.xml.ns.yang.openflow._switch.connection.config.rev160506.SwitchConnectionConfigKey;
import org.opendaylight.yang.gen.v1.urn.opendaylight.params.xml.ns.yang.openflow._switch.connection.config.rev160506._switch.connection.config.Tls;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.binding.DataObjectReference;
import org.opendaylight.yangtools.concepts.Registration;
import org.opendaylight.yangtools.yang.common.Uint16;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
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
 * <p>The OpenFlow plugin's own listeners come from the datastore, where files put them at every start; they are removed
 * whenever they appear.
 */
@Component(service = { }, configurationPid = "org.daqfabric")
@Designate(ocd = OpenFlowListener.Configuration.class)
public final class OpenFlowListener implements DataTreeChangeListener<SwitchConnectionConfig>, AutoCloseable {
    /** Where to listen. */
    @ObjectClassDefinition(name = "daqfabric OpenFlow listener")
    public @interface Configuration {
        @AttributeDefinition(description = "Address to listen on")
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

    private static final Logger LOG = LoggerFactory.getLogger(OpenFlowListener.class);
    /** Milliseconds of silence after which a switch is asked whether it lives. */
    private static final Uint32 IDLE_MILLIS = Uint32.valueOf(3000);

    private final DataBroker broker;
    private final List<Registration> listeners;
    private final Registration registration;

    @Activate
    public OpenFlowListener(@Reference final DataBroker broker, @Reference final SwitchConnectionProviderFactory factory,
            @Reference final Connections connections, final Configuration configuration, final BundleContext bundles) {
        this(broker, listeners(configuration), config -> {
            final var provider = PatientListener.of(factory.newInstance(config),
                IetfInetUtil.inetAddressFor(config.getAddress()), config.getPort().toJava());
            final ServiceRegistration<?> service = bundles.registerService(SwitchConnectionProvider.class,
                connections.watch(provider), null);
            return service::unregister;
        });
    }

    OpenFlowListener(final DataBroker broker, final List<SwitchConnectionConfig> listeners,
            final Function<SwitchConnectionConfig, Registration> start) {
        this.broker = requireNonNull(broker);
        // before the others go: without any listener the plugin ends
        this.listeners = listeners.stream().map(start).toList();
        registration = broker.registerTreeChangeListener(LogicalDatastoreType.CONFIGURATION,
            DataObjectReference.builder(SwitchConnectionConfig.class).build(), this);
    }

    private static List<SwitchConnectionConfig> listeners(final Configuration configuration) {
        final var address = InetAddresses.forString(configuration.openflow$_$address().trim());
        final var listeners = new ArrayList<SwitchConnectionConfig>();
        if (configuration.openflow$_$port() > 0) {
            listeners.add(listener(address, configuration.openflow$_$port(), null));
        }
        if (configuration.openflow$_$tls$_$port() > 0) {
            tls(configuration).ifPresent(tls ->
                listeners.add(listener(address, configuration.openflow$_$tls$_$port(), tls)));
        }
        return listeners;
    }

    /** Empty where there cannot be any. */
    private static Optional<Tls> tls(final Configuration configuration) {
        try {
            return Optional.of(OpenFlowTls.write(TlsIdentity.read(TlsFiles.needed("openflow-tls-port",
                configuration.tls$_$private$_$key(), configuration.tls$_$certificate(),
                configuration.tls$_$ca$_$certificate())), OpenFlowTls.FOLDER));
        } catch (TlsException e) {
            LOG.error("No OpenFlow over TLS. {}. Then restart the controller", e.getMessage(), e);
            return Optional.empty();
        }
    }

    /** One listener; without {@code tls} for plain TCP. */
    static SwitchConnectionConfig listener(final InetAddress address, final int port, final Tls tls) {
        return new SwitchConnectionConfigBuilder()
            .withKey(new SwitchConnectionConfigKey(tls == null ? "daqfabric" : "daqfabric-tls"))
            .setAddress(IetfInetUtil.ipAddressFor(address))
            .setPort(Uint16.valueOf(port))
            .setTransportProtocol(tls == null ? TransportProtocol.TCP : TransportProtocol.TLS)
            .setTls(tls)
            .setChannelOutboundQueueSize(Uint16.valueOf(1024))
            .setUseBarrier(true)
            .setGroupAddModEnabled(false)
            .setSwitchIdleTimeout(IDLE_MILLIS)
            .build();
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
                LOG.info("OpenFlow listener on port {} removed", other.getPort());
            }

            @Override
            public void onFailure(final Throwable cause) {
                LOG.error("The OpenFlow listener on port {} could not be removed. Check what listens with 'ss -ltnp' "
                    + "and restart the controller", other.getPort(), cause);
            }
        }, MoreExecutors.directExecutor());
    }

    @Deactivate
    @Override
    public void close() {
        registration.close();
        listeners.forEach(Registration::close);
    }
}
