package org.daqfabric.impl.service;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.daqfabric.impl.async.Causes;
import org.daqfabric.impl.engine.doctor.DiagnosisInput;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.WriteTransaction;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Fabrics;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Name;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.Fabric;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.FabricKey;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;

/**
 * Tries whether the datastores can be written.
 *
 * @param ended why a datastore takes no write until a restart, if it does not
 */
public record StoreProbe(DataBroker broker, Function<LogicalDatastoreType, Optional<String>> ended) {
    private static final long TIMEOUT_SECONDS = 6;

    List<DiagnosisInput.Store> look() {
        return List.of(store("configuration", LogicalDatastoreType.CONFIGURATION),
            store("state", LogicalDatastoreType.OPERATIONAL));
    }

    /** Times a write that passes through the datastore without effect: it deletes a fabric that does not exist. */
    private DiagnosisInput.Store store(String name, LogicalDatastoreType type) {
        WriteTransaction tx = broker.newWriteOnlyTransaction();
        tx.delete(type, DataObjectIdentifier.builder(Fabrics.class)
            .child(Fabric.class, new FabricKey(new Name(UUID.randomUUID().toString()))).build());
        long began = System.nanoTime();
        String error = "";
        try {
            tx.commit().get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            error = "interrupted";
        } catch (TimeoutException e) {
            error = "no answer for " + TIMEOUT_SECONDS + " s";
        } catch (ExecutionException e) {
            error = Causes.inWords(e);
        }
        double took = (System.nanoTime() - began) / 1e6;
        Optional<String> cause = error.isEmpty() ? Optional.empty() : ended.apply(type);
        return new DiagnosisInput.Store(name, took, cause.orElse(error), cause.isPresent());
    }
}
