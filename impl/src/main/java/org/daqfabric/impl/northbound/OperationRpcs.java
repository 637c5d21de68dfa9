package org.daqfabric.impl.northbound;

import static org.daqfabric.impl.northbound.YangValues.absent;

import com.google.common.util.concurrent.ListenableFuture;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.daqfabric.api.state.Verification;
import org.daqfabric.impl.controller.FabricManager;
import org.daqfabric.impl.engine.check.InvalidInputException;
import org.opendaylight.mdsal.binding.api.RpcProviderService;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.Findings;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.Rebalance;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.RebalanceInput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.RebalanceOutput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.RebalanceOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.Resync;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.ResyncInput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.ResyncOutput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.ResyncOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.Target;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.Verify;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.VerifyInput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.VerifyOutput;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.VerifyOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.findings.Finding;
import org.opendaylight.yang.gen.v1.urn.daqfabric.operations.rev261121.findings.FindingBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Name;
import org.opendaylight.yangtools.concepts.Registration;
import org.opendaylight.yangtools.yang.common.RpcResult;
import org.opendaylight.yangtools.yang.common.Uint32;

/** The rpcs verify, resync and rebalance of module daqfabric-operations. */
public final class OperationRpcs implements AutoCloseable {
    private static final int MAX_LOST_PAIRS = 1000;

    private final FabricManager fabrics;
    private final Uptake uptake;
    private final Registration registration;

    public OperationRpcs(RpcProviderService rpcs, FabricManager fabrics, Uptake uptake) {
        this.fabrics = fabrics;
        this.uptake = uptake;
        registration = rpcs.registerRpcImplementations((Verify) this::verify, (Resync) this::resync,
            (Rebalance) this::rebalance);
    }

    @Override
    public void close() {
        registration.close();
    }

    private ListenableFuture<RpcResult<VerifyOutput>> verify(VerifyInput input) {
        return inspect(input, false, found -> {
            VerifyOutputBuilder output = new VerifyOutputBuilder(new Found(found));
            if (found.pairs() > 0) {
                output.setPairs(Uint32.valueOf(found.pairs())).setLostPairs(Uint32.valueOf(found.lost().size()))
                    .setLostPair(found.lost().stream().limit(MAX_LOST_PAIRS).toList());
            }
            return output.build();
        });
    }

    private ListenableFuture<RpcResult<ResyncOutput>> resync(ResyncInput input) {
        return inspect(input, true, found -> new ResyncOutputBuilder(new Found(found)).build());
    }

    private ListenableFuture<RpcResult<RebalanceOutput>> rebalance(RebalanceInput input) {
        return ask(input.getFabric(), Set.of(), fabric -> {
            OptionalInt maxMoves = RpcSupport.optional(input.getMaxMoves(), "max-moves");
            if (maxMoves.isPresent() && maxMoves.getAsInt() < 0) {
                throw new InvalidInputException("max-moves", "a number from 0 on; leave it out for no limit");
            }
            return fabrics.rebalance(fabric, maxMoves);
        }, moved -> new RebalanceOutputBuilder().setMovedDcms(Uint32.valueOf(moved)).build());
    }

    private <T> ListenableFuture<RpcResult<T>> inspect(Target target, boolean correct, Function<Verification,
            T> output) {
        Set<String> switches = target.getSwitch() == null ? Set.of() : new TreeSet<>(target.getSwitch());
        return ask(target.getFabric(), switches, fabric -> fabrics.inspect(fabric, switches, correct), output);
    }

    private <F, T> ListenableFuture<RpcResult<T>> ask(String fabric, Set<String> switches,
            Function<String, CompletionStage<F>> operation, Function<F, T> output) {
        return RpcSupport.answer(uptake, () -> {
            String named = RpcSupport.fabric(fabric);
            switches.forEach(name -> RpcSupport.checkName(name, "switch"));
            return operation.apply(named);
        }, output);
    }

    /** The findings, which verify and resync answer alike. */
    private record Found(Verification verification) implements Findings {
        @Override
        public Class<Findings> implementedInterface() {
            return Findings.class;
        }

        @Override
        public Uint32 getSwitches() {
            return Uint32.valueOf(verification.switches().size());
        }

        @Override
        public Uint32 requireSwitches() {
            return getSwitches();
        }

        @Override
        public Uint32 getForeignRules() {
            return Uint32.valueOf(verification.foreign());
        }

        @Override
        public Uint32 requireForeignRules() {
            return getForeignRules();
        }

        @Override
        public List<Finding> getFinding() {
            List<Finding> list = new ArrayList<>();
            verification.findings().forEach(found -> list.add(new FindingBuilder()
                .setSwitch(new Name(found.switchName()))
                .setKind(Finding.Kind.forName(found.kind().name().toLowerCase(Locale.ROOT)))
                .setWhat(Finding.What.forName(found.what().name().toLowerCase(Locale.ROOT)))
                .setSubject(absent(found.subject()))
                .setDetail(absent(found.detail()))
                .build()));
            return list;
        }

        @Override
        public List<Finding> nonnullFinding() {
            return getFinding();
        }
    }
}
