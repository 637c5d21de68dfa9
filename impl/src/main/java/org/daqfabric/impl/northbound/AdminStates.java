package org.daqfabric.impl.northbound;

import com.google.common.base.Throwables;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.daqfabric.api.NotDoneException;
import org.daqfabric.api.plan.FabricParts;
import org.daqfabric.api.spec.AdminState;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.async.Causes;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.ReadWriteTransaction;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.mdsal.common.api.OptimisticLockFailedException;
import org.opendaylight.netconf.api.NetconfDocumentedException;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Fabrics;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.InterfaceName;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Name;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabric.configuration.Link;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabric.configuration.LinkBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabric.configuration.Switch;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabric.configuration.SwitchBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.Fabric;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.FabricBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.FabricKey;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.binding.util.BindingMap;

/** Drains switches and links and takes them back into use, by the write to the configuration that RESTCONF makes. */
public final class AdminStates {
    private static final LogicalDatastoreType STORE = LogicalDatastoreType.CONFIGURATION;
    private static final long TIMEOUT_SECONDS = 15;

    private final DataBroker broker;

    public AdminStates(DataBroker broker) {
        this.broker = broker;
    }

    /**
     * Sets the administrative state of parts of a fabric, all of them or none.
     *
     * @param spec by which the parts were named
     * @param seen what the user has seen the effect on: nothing is changed if the fabric is another by now; empty if
     *     the user has agreed to any effect
     * @throws NotDoneException with the message of the refusal if the write is refused
     */
    public void set(FabricSpec spec, FabricParts parts, AdminState state, Optional<FabricSpec> seen) {
        var wanted = state == AdminState.DRAINED
            ? org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.AdminState.Drained
            : org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.AdminState.InService;
        List<Switch> switches = parts.switches().stream().distinct().map(each -> new SwitchBuilder()
            .setName(new Name(each)).setAdminState(wanted).build()).toList();
        List<Link> links = parts.links().stream().map(port -> end(spec, port)).distinct().map(end -> new LinkBuilder()
            .setSwitch(new Name(end.switchName())).setPort(new InterfaceName(end.port())).setAdminState(wanted).build())
            .toList();
        Name name = new Name(spec.name());
        DataObjectIdentifier<Fabric> path = DataObjectIdentifier.builder(Fabrics.class)
            .child(Fabric.class, new FabricKey(name)).build();
        ReadWriteTransaction tx = broker.newReadWriteTransaction();
        try {
            if (seen.isPresent()) {
                // written as it is, the transaction fails if somebody else changes it meanwhile: merges alone would not
                tx.put(STORE, path, asSeen(await(tx.read(STORE, path)), seen.get()));
            }
            tx.merge(STORE, path, new FabricBuilder().setName(name).setSwitch(BindingMap.of(switches))
                .setLink(BindingMap.of(links)).build());
            await(tx.commit());
        } finally {
            tx.cancel();
        }
    }

    private static Fabric asSeen(Optional<Fabric> present, FabricSpec seen) {
        return present.filter(fabric -> FabricReader.read(fabric).spec().equals(Optional.of(seen)))
            .orElseThrow(() -> new NotDoneException("nothing was changed: somebody else has changed " + seen.name()
                + " meanwhile. Repeat the command to see what it would do now"));
    }

    /** The end under which the link at a port is declared. */
    private static PortId end(FabricSpec spec, PortId port) {
        return spec.links().stream().filter(link -> link.end().equals(port) || link.peer().equals(port)).findFirst()
            .orElseThrow(() -> new NotDoneException("fabric " + spec.name() + " has no link " + port)).end();
    }

    private static <T> T await(Future<T> answer) {
        try {
            return answer.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NotDoneException("interrupted: see in daqfabric:links and daqfabric:doctor whether it was done",
                e);
        } catch (TimeoutException e) {
            throw new NotDoneException("the datastore did not answer for " + TIMEOUT_SECONDS
                + " s: see daqfabric:doctor, and whether it was done", e);
        } catch (ExecutionException e) {
            throw new NotDoneException(reason(e), e);
        }
    }

    private static String reason(ExecutionException failure) {
        for (Throwable cause : Throwables.getCausalChain(failure)) {
            if (cause instanceof NetconfDocumentedException refusal) {
                return refusal.getMessage();
            }
            if (cause instanceof OptimisticLockFailedException) {
                return "the configuration was changed by another write at the same time: repeat the command";
            }
        }
        return "the configuration could not be written: " + Causes.inWords(failure);
    }
}
