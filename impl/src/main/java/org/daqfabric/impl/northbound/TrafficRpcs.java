package org.daqfabric.impl.northbound;

import com.google.common.util.concurrent.ListenableFuture;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.daqfabric.api.state.TrafficMatrix;
import org.daqfabric.api.state.TrafficMatrix.Pair;
import org.daqfabric.impl.controller.whatif.TrafficQueries;
import org.opendaylight.mdsal.binding.api.RpcProviderService;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.Traffic;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.TrafficInput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.TrafficOutput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.TrafficOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.traffic.output.Dcm;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.traffic.output.DcmBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.traffic.output.MeasuredBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.traffic.output.PairBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.traffic.output.Ros;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.traffic.output.RosBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.traffic.output.SharedBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.traffic.output.UnreadBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Bandwidth;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Name;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Weight;
import org.opendaylight.yangtools.binding.util.BindingMap;
import org.opendaylight.yangtools.concepts.Registration;
import org.opendaylight.yangtools.yang.common.RpcResult;
import org.opendaylight.yangtools.yang.common.Uint16;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.opendaylight.yangtools.yang.common.Uint64;

/** The rpc traffic of module daqfabric-operations. */
public final class TrafficRpcs implements AutoCloseable {
    private static final int USUAL_SECONDS = 10;
    private static final int MAX_PAIRS = 10_000;

    private final TrafficQueries queries;
    private final Uptake uptake;
    private final Registration registration;

    public TrafficRpcs(RpcProviderService rpcs, TrafficQueries queries, Uptake uptake) {
        this.queries = queries;
        this.uptake = uptake;
        registration = rpcs.registerRpcImplementation((Traffic) this::traffic);
    }

    @Override
    public void close() {
        registration.close();
    }

    private ListenableFuture<RpcResult<TrafficOutput>> traffic(TrafficInput input) {
        return RpcSupport.answer(uptake, () -> {
            Duration over = TrafficQueries.measuring(RpcSupport.or(input.getSeconds(), "seconds", USUAL_SECONDS),
                "seconds");
            return queries.of(RpcSupport.fabric(input.getFabric()), over);
        }, TrafficRpcs::output);
    }

    private static TrafficOutput output(TrafficMatrix found) {
        TrafficOutputBuilder output = new TrafficOutputBuilder()
            .setSeconds(Uint16.valueOf(found.over().toSeconds()))
            .setPairs(Uint32.valueOf(found.pairs().size()))
            .setPair(found.pairs().stream().limit(MAX_PAIRS).map(pair -> new PairBuilder()
                .setRos(new Name(pair.ros())).setDcm(new Name(pair.dcm()))
                .setPackets(Uint64.valueOf(pair.packets())).setBytes(Uint64.valueOf(pair.bytes())).build()).toList())
            .setShared(BindingMap.of(found.shared().stream().map(each -> new SharedBuilder()
                .setRos(new Name(each.ros()))
                .setPrefix(each.prefix()).setPackets(Uint64.valueOf(each.packets()))
                .setBytes(Uint64.valueOf(each.bytes())).build()).toList()))
            .setUnread(BindingMap.of(found.unread().entrySet().stream().map(each -> new UnreadBuilder()
                .setSwitch(new Name(each.getKey())).setReason(each.getValue()).build()).toList()));
        found.measured().ifPresent(weights -> output
            .setRos(BindingMap.of(ros(sums(found.pairs(), Pair::ros), weights.ros())))
            .setDcm(BindingMap.of(dcms(sums(found.pairs(), Pair::dcm), weights.dcms())))
            .setMeasured(new MeasuredBuilder()
                .setBandwidth(new Bandwidth(StateTree.decimal(weights.bandwidth(), 3)))
                .setBottleneck(YangValues.absent(weights.bottleneck()))
                .setBandwidthIfConfigured(new Bandwidth(StateTree.decimal(weights.configured(), 3))).build()));
        return output.build();
    }

    private static Map<String, Long> sums(List<Pair> pairs, Function<Pair, String> of) {
        return pairs.stream().collect(Collectors.groupingBy(of, Collectors.summingLong(Pair::bytes)));
    }

    private static List<Ros> ros(Map<String, Long> bytes, SortedMap<String, Double> weights) {
        return weights.entrySet().stream().map(each -> new RosBuilder().setName(new Name(each.getKey()))
            .setBytes(Uint64.valueOf(bytes.getOrDefault(each.getKey(), 0L))).setWeight(weight(each.getValue())).build())
            .toList();
    }

    private static List<Dcm> dcms(Map<String, Long> bytes, SortedMap<String, Double> weights) {
        return weights.entrySet().stream().map(each -> new DcmBuilder().setName(new Name(each.getKey()))
            .setBytes(Uint64.valueOf(bytes.getOrDefault(each.getKey(), 0L))).setWeight(weight(each.getValue())).build())
            .toList();
    }

    static Weight weight(double value) {
        return new Weight(StateTree.decimal(value, 6));
    }
}
