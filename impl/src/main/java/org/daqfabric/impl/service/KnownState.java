package org.daqfabric.impl.service;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.daqfabric.api.run.PartitionState;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.state.MarkedBridge;
import org.daqfabric.api.state.PendingRemoval;
import org.daqfabric.api.state.TrafficMatrix.Weights;
import org.daqfabric.impl.controller.FabricManager;
import org.daqfabric.impl.controller.LatestStates;
import org.daqfabric.impl.engine.doctor.DiagnosisInput;

/** What is known of all fabrics at a moment: what the doctor looks at, and what alarms are raised from. */
public final class KnownState {
    private final FabricManager manager;
    private final LatestStates states;
    private final Supplier<List<PartitionState>> partitions;
    private final DiagnosisCollector collector;

    public KnownState(FabricManager manager, LatestStates states, Supplier<List<PartitionState>> partitions,
            DiagnosisCollector collector) {
        this.manager = manager;
        this.states = states;
        this.partitions = partitions;
        this.collector = collector;
    }

    /** Without what would take some time, which is some seconds old; empty if none of that is known yet. */
    public Optional<DiagnosisInput> quick() {
        return collector.quick(known(List.copyOf(manager.specs().values()), Optional.empty(), List.of(), Map.of()));
    }

    /**
     * Everything anew.
     *
     * @param fabric all if empty
     * @param orphans bridges that no configured fabric names
     * @param measured weights of what fabrics carry, by fabric, as far as they were measured
     */
    DiagnosisInput whole(List<FabricSpec> specs, Optional<String> fabric, List<MarkedBridge> orphans,
            Map<String, Weights> measured) {
        return collector.collect(known(specs, fabric, orphans, measured));
    }

    private DiagnosisCollector.Known known(List<FabricSpec> specs, Optional<String> fabric,
            List<MarkedBridge> orphans, Map<String, Weights> measured) {
        List<PendingRemoval> leaving = states.pending().stream()
            .filter(each -> fabric.isEmpty() || each.bridge().fabric().equals(fabric.get())).toList();
        List<PartitionState> served = partitions.get().stream()
            .filter(each -> fabric.isEmpty() || each.partition().fabric().equals(fabric.get())).toList();
        return new DiagnosisCollector.Known(specs, states, leaving, orphans, manager::loopState, served,
            measured);
    }
}
