package org.daqfabric.impl.northbound;

import com.google.common.util.concurrent.ListenableFuture;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.daqfabric.impl.controller.spi.Installation;
import org.daqfabric.impl.controller.spi.InstallationStore;
import org.daqfabric.impl.engine.check.InvalidInputException;
import org.opendaylight.mdsal.binding.api.RpcProviderService;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.TakeOver;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.TakeOverInput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.TakeOverOutput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.TakeOverOutputBuilder;
import org.opendaylight.yangtools.concepts.Registration;
import org.opendaylight.yangtools.yang.common.RpcResult;

/** The rpc take-over of module daqfabric-operations. */
public final class InstallationRpcs implements AutoCloseable {
    private final InstallationStore store;
    private final Supplier<CompletionStage<SortedSet<String>>> others;
    private final Registration registration;

    /**
     * Registers it.
     *
     * @param others gives the ids of other installations that have bridges on connected nodes
     */
    public InstallationRpcs(RpcProviderService rpcs, InstallationStore store,
            Supplier<CompletionStage<SortedSet<String>>> others) {
        this.store = store;
        this.others = others;
        registration = rpcs.registerRpcImplementations((TakeOver) this::takeOver);
    }

    @Override
    public void close() {
        registration.close();
    }

    private ListenableFuture<RpcResult<TakeOverOutput>> takeOver(TakeOverInput input) {
        return RpcSupport.answer(() -> {
            if (input.getInstallation() == null) {
                throw RpcSupport.missing("installation", "\"ID\", as the last-error of its switches has it");
            }
            String id = input.getInstallation();
            return store.load().thenCombine(others.get(), (own, found) -> check(id, own, found))
                .thenCompose(own -> store.takeOver(Set.of(id)));
        }, done -> new TakeOverOutputBuilder().build());
    }

    private static Installation check(String id, Installation own, SortedSet<String> found) {
        if (own.isOther(id) && !found.contains(id)) {
            throw new InvalidInputException("installation", "no bridge of a connected node belongs to installation "
                + id + (found.isEmpty() ? ", or to any other than this one" : "; they belong to "
                    + String.join(", ", found)));
        }
        return own;
    }
}
