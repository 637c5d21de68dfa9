package org.daqfabric.impl.northbound;

import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.impl.controller.UnknownNameException;
import org.daqfabric.impl.engine.planning.RefusedException;
import org.opendaylight.mdsal.binding.api.RpcProviderService;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.Bandwidth;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.Cost;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.Goodput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.HostProfile;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.Incast;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.SizeDaqrings;
import org.opendaylight.yang.gen.v1.urn.daqfabric.planning.rev261121.SizeFabric;
import org.opendaylight.yangtools.concepts.Registration;
import org.opendaylight.yangtools.yang.common.ErrorTag;
import org.opendaylight.yangtools.yang.common.ErrorType;
import org.opendaylight.yangtools.yang.common.RpcResult;
import org.opendaylight.yangtools.yang.common.RpcResultBuilder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The rpcs of module daqfabric-planning. */
public final class PlanningRpcs implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PlanningRpcs.class);

    private final Registration registration;

    /**
     * Registers them.
     *
     * @param fabrics a configured fabric by its name; throws an {@link UnknownNameException} where there is none
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
        RpcResultBuilder<T> result;
        try {
            result = RpcResultBuilder.success(output.get());
        } catch (RefusedException e) {
            result = refusal(ErrorTag.INVALID_VALUE, "/input/" + e.leaf() + ": " + e.getMessage());
        } catch (UnknownNameException e) {
            result = refusal(ErrorTag.INVALID_VALUE, e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("An operation failed", e);
            result = refusal(ErrorTag.OPERATION_FAILED, String.valueOf(e.getMessage()));
        }
        return Futures.immediateFuture(result.build());
    }

    private static <T> RpcResultBuilder<T> refusal(ErrorTag tag, String message) {
        return RpcResultBuilder.<T>failed().withError(ErrorType.APPLICATION, tag, message);
    }
}
