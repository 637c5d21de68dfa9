package org.daqfabric.impl.northbound;

import com.google.common.util.concurrent.ListenableFuture;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeSet;
import org.daqfabric.api.state.MarkedBridge;
import org.daqfabric.impl.controller.FabricManager;
import org.daqfabric.impl.controller.OrphanBridges;
import org.daqfabric.impl.controller.OrphanBridges.Choice;
import org.daqfabric.impl.engine.check.InvalidInputException;
import org.opendaylight.mdsal.binding.api.RpcProviderService;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.ChosenBridges;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.ForgetRemovals;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.ForgetRemovalsInput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.ForgetRemovalsOutput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.ForgetRemovalsOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.Orphans;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.OrphansInput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.OrphansOutput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.OrphansOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.RemoveOrphans;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.RemoveOrphansInput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.RemoveOrphansOutput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.RemoveOrphansOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.chosen.bridges.Bridge;
import org.opendaylight.yangtools.concepts.Registration;
import org.opendaylight.yangtools.yang.common.RpcResult;

/** The rpcs orphans, remove-orphans and forget-removals of module daqfabric-operations. */
public final class RemovalRpcs implements AutoCloseable {
    private static final String EXAMPLE = "[{\"system-id\":\"NODE\",\"bridge\":\"BRIDGE\"}]";

    private final OrphanBridges orphans;
    private final Registration registration;

    public RemovalRpcs(RpcProviderService rpcs, FabricManager fabrics) {
        orphans = fabrics.orphans();
        registration = rpcs.registerRpcImplementations((Orphans) this::list, (RemoveOrphans) this::remove,
            (ForgetRemovals) this::forget);
    }

    @Override
    public void close() {
        registration.close();
    }

    private ListenableFuture<RpcResult<OrphansOutput>> list(OrphansInput input) {
        return RpcSupport.answer(orphans::find, found -> new OrphansOutputBuilder().setBridge(each(found,
            (bridge, pending) -> new org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.orphans.output
                .BridgeBuilder().setSystemId(bridge.systemId()).setBridge(bridge.bridge()).setFabric(bridge.fabric())
                .setPending(pending).build())).build());
    }

    private ListenableFuture<RpcResult<RemoveOrphansOutput>> remove(RemoveOrphansInput input) {
        return RpcSupport.answer(() -> orphans.remove(choice(input)),
            done -> new RemoveOrphansOutputBuilder().setBridge(each(done, (bridge, removed) ->
                new org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.remove.orphans.output
                    .BridgeBuilder().setSystemId(bridge.systemId()).setBridge(bridge.bridge())
                    .setFabric(bridge.fabric()).setRemoved(removed).build())).build());
    }

    private ListenableFuture<RpcResult<ForgetRemovalsOutput>> forget(ForgetRemovalsInput input) {
        return RpcSupport.answer(() -> orphans.forget(choice(input)), forgotten -> new ForgetRemovalsOutputBuilder()
            .setBridge(forgotten.stream().map(bridge ->
                new org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.forget.removals.output
                    .BridgeBuilder().setSystemId(bridge.systemId()).setBridge(bridge.bridge())
                    .setFabric(bridge.fabric()).build()).toList()).build());
    }

    private interface Row<T> {
        T of(MarkedBridge bridge, boolean is);
    }

    private static <T> List<T> each(SortedMap<MarkedBridge, Boolean> bridges, Row<T> row) {
        List<T> rows = new ArrayList<>();
        bridges.forEach((bridge, is) -> rows.add(row.of(bridge, is)));
        return rows;
    }

    private static Choice choice(ChosenBridges input) {
        List<Map.Entry<String, String>> bridges = new ArrayList<>();
        for (Bridge each : input.nonnullBridge()) {
            if (each.getSystemId() == null || each.getBridge() == null) {
                throw RpcSupport.missing("bridge", EXAMPLE);
            }
            bridges.add(Map.entry(each.getSystemId(), each.getBridge()));
        }
        TreeSet<String> nodes = input.getNode() == null ? new TreeSet<>() : new TreeSet<>(input.getNode());
        if (bridges.isEmpty() && nodes.isEmpty()) {
            throw new InvalidInputException("bridge", "name bridges or nodes, as in {\"input\":{\"bridge\":" + EXAMPLE
                + "}} or {\"input\":{\"node\":[\"NODE\"]}}");
        }
        return new Choice(bridges, nodes);
    }
}
