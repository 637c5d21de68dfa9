package org.daqfabric.impl.northbound;

import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.impl.engine.check.InvalidInputException;
import org.opendaylight.mdsal.binding.api.RpcProviderService;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.Bandwidth;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.Cost;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.Goodput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.HostProfile;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.Incast;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.SizeDaqrings;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.SizeFabric;
import org.opendaylight.yangtools.concepts.Registration;
import org.opendaylight.yangtools.yang.common.RpcResult;
import org.opendaylight.yangtools.yang.common.RpcResultBuilder;

/** The rpcs of module daqfabric-planning. */
public final class PlanningRpcs implements AutoCloseable {
    private final Registration registration;

    /**
     * Registers them.
     *
     * @param fabrics a configured fabric by its name; throws an {@link InvalidInputException} where there is none
     */
    public PlanningRpcs(RpcProviderService rpcs, Function<String, FabricSpec> fabrics) {
        FabricPlanning fabric = new FabricPlanning(fabrics);
        registration = rpcs.registerRpcImplementations(
            (Bandwidth) input -> answer(() -> fabric.bandwidth(input)),
            (Goodput) input -> answer(() -> NumberPlanning.goodput(input)),
            (SizeDaqrings) input -> answer(() -> fabric.sizeDaqrings(input)),
            (SizeFabric) input -> answer(() -> NumberPlanning.sizeFabric(input)),
            (Cost) input -> answer(() -> NumberPlanning.cost(input)),
            (Incast) input -> answer(() -> NumberPlanning.incast(input)),
            (HostProfile) input -> answer(() -> fabric.hostProfile(input)));
    }

    @Override
    public void close() {
        registration.close();
    }

    static <T> ListenableFuture<RpcResult<T>> answer(Supplier<T> output) {
        try {
            return Futures.immediateFuture(RpcResultBuilder.success(output.get()).build());
        } catch (RuntimeException e) {
            return Futures.immediateFuture(RpcFailures.answer(e));
        }
    }
}
