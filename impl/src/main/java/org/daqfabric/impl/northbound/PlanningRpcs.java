package org.daqfabric.impl.northbound;

import java.util.function.Function;
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

/** The rpcs of module daqfabric-planning. */
public final class PlanningRpcs implements AutoCloseable {
    private final Registration registration;

    /**
     * Registers the rpcs.
     *
     * @param fabrics a configured fabric by its name; throws an {@link InvalidInputException} where there is none
     */
    public PlanningRpcs(RpcProviderService rpcs, Function<String, FabricSpec> fabrics) {
        FabricPlanning fabric = new FabricPlanning(fabrics);
        registration = rpcs.registerRpcImplementations(
            (Bandwidth) input -> RpcSupport.answer(() -> fabric.bandwidth(input)),
            (Goodput) input -> RpcSupport.answer(() -> NumberPlanning.goodput(input)),
            (SizeDaqrings) input -> RpcSupport.answer(() -> fabric.sizeDaqrings(input)),
            (SizeFabric) input -> RpcSupport.answer(() -> NumberPlanning.sizeFabric(input)),
            (Cost) input -> RpcSupport.answer(() -> NumberPlanning.cost(input)),
            (Incast) input -> RpcSupport.answer(() -> NumberPlanning.incast(input)),
            (HostProfile) input -> RpcSupport.answer(() -> fabric.hostProfile(input)));
    }

    @Override
    public void close() {
        registration.close();
    }
}
