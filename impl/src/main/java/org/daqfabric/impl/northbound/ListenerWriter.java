package org.daqfabric.impl.northbound;

import com.google.common.util.concurrent.FutureCallback;
import com.google.common.util.concurrent.MoreExecutors;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import org.daqfabric.api.state.Advice;
import org.daqfabric.impl.async.Causes;
import org.daqfabric.impl.engine.doctor.DiagnosisInput;
import org.daqfabric.impl.engine.doctor.ListenerDiagnosis;
import org.eclipse.jdt.annotation.Nullable;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.WriteTransaction;
import org.opendaylight.mdsal.common.api.CommitInfo;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.DatapathId;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Listeners;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.listeners.Claim;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.listeners.ClaimBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.listeners.ClaimKey;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.listeners.Listener;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.listeners.ListenerBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.listeners.ListenerKey;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.inet.types.rev130715.IetfInetUtil;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.inet.types.rev130715.PortNumber;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.yang.common.Uint16;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes into the operational datastore where this controller listens for switches, and who only claimed to be one. */
public final class ListenerWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ListenerWriter.class);

    private final String member;
    private final DataBroker broker;
    private final LatestWriter<Shown> writer;
    private volatile Shown newest = new Shown(List.of(), List.of());
    /** Claims that may be in the datastore; only the writer uses it. */
    private final Set<ClaimKey> written = new HashSet<>();

    private record Shown(List<DiagnosisInput.Listener> listeners, List<DiagnosisInput.Claim> claims) {
    }

    /**
     * Starts with nothing written.
     *
     * @param member this controller's name in OpenDaylight
     * @param executor where transactions are made; not shut down by {@link #close()}
     */
    public ListenerWriter(String member, DataBroker broker, ScheduledExecutorService executor) {
        this.member = member;
        this.broker = broker;
        writer = new LatestWriter<>("Where the controller listens", broker, executor, LatestWriter.LIMIT, this::write);
    }

    /** Writes how the listeners are, and which claims there were lately, if that is new. */
    public void publish(List<DiagnosisInput.Listener> listeners, List<DiagnosisInput.Claim> claims) {
        Shown now = new Shown(listeners, claims);
        if (!now.equals(newest)) {
            newest = now;
            writer.want(now);
        }
    }

    private void write(WriteTransaction tx, @Nullable Shown before, Shown target) {
        target.listeners.forEach(each -> {
            Listener tree = tree(each);
            tx.mergeParentStructurePut(LogicalDatastoreType.OPERATIONAL, path(tree.key()), tree);
        });
        if (before != null) {
            // nothing else is there: whoever claims again and again must not make this grow
            written.clear();
            before.claims.forEach(each -> written.add(tree(each).key()));
        }
        written.forEach(key -> tx.delete(LogicalDatastoreType.OPERATIONAL, path(key)));
        target.claims.forEach(each -> {
            Claim tree = tree(each);
            written.add(tree.key());
            tx.mergeParentStructurePut(LogicalDatastoreType.OPERATIONAL, path(tree.key()), tree);
        });
    }

    private static DataObjectIdentifier.WithKey<Claim, ClaimKey> path(ClaimKey key) {
        return DataObjectIdentifier.builder(Listeners.class).child(Claim.class, key).build();
    }

    private Claim tree(DiagnosisInput.Claim claim) {
        return new ClaimBuilder()
            .setMember(member)
            .setDatapathId(new DatapathId("%016x".formatted(claim.datapathId())))
            .setAddress(IetfInetUtil.ipAddressFor(claim.address()))
            .setKeeper(claim.keeper().isEmpty() ? null : IetfInetUtil.ipAddressFor(claim.keeper()))
            .setReason(claim.why())
            .build();
    }

    private static DataObjectIdentifier.WithKey<Listener, ListenerKey> path(ListenerKey key) {
        return DataObjectIdentifier.builder(Listeners.class).child(Listener.class, key).build();
    }

    private Listener tree(DiagnosisInput.Listener listener) {
        ListenerBuilder builder = new ListenerBuilder()
            .setMember(member)
            .setProtocol(switch (listener.protocol()) {
                case OVSDB -> Listener.Protocol.Ovsdb;
                case OPENFLOW -> Listener.Protocol.Openflow;
            })
            .setPort(new PortNumber(Uint16.valueOf(listener.port())))
            .setAddress(IetfInetUtil.ipAddressFor(listener.address()))
            .setTls(listener.tls())
            .setOpen(listener.open());
        if (!listener.open()) {
            Advice advice = ListenerDiagnosis.of(listener);
            builder.setLastError(advice.what() + ": " + advice.advice());
        }
        return builder.build();
    }

    /** Removes what was written: the controller listens no more. */
    @Override
    public void close() {
        writer.end();
        WriteTransaction tx = broker.newWriteOnlyTransaction();
        newest.listeners.forEach(each -> tx.delete(LogicalDatastoreType.OPERATIONAL, path(tree(each).key())));
        newest.claims.forEach(each -> tx.delete(LogicalDatastoreType.OPERATIONAL, path(tree(each).key())));
        tx.commit().addCallback(new FutureCallback<CommitInfo>() {
            @Override
            public void onSuccess(CommitInfo done) {
                LOG.debug("The listeners are withdrawn");
            }

            @Override
            public void onFailure(Throwable cause) {
                LOG.warn("It could not be withdrawn where the controller listened: {}", Causes.inWords(cause));
            }
        }, MoreExecutors.directExecutor());
    }
}
