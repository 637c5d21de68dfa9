package org.daqfabric.impl.engine.doctor;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.state.FreeSpace;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.ConfiguredFabric;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Machine;

/** Inputs of a diagnosis that know one thing only. */
final class Inputs {
    private Inputs() {
    }

    static DiagnosisInput of(ConfiguredFabric fabric) {
        return of(fabric, Set.of());
    }

    /**
     * The same with switches that answer late.
     *
     * @param late their datapath-ids
     */
    static DiagnosisInput of(ConfiguredFabric fabric, Set<Long> late) {
        return of(List.of(fabric), "", List.of(), new TreeMap<>(), late);
    }

    /** Of the controller itself. */
    static DiagnosisInput itself(String unstoredAccounts, List<FreeSpace> disks, SortedMap<String, String> lost) {
        return of(List.of(), unstoredAccounts, disks, lost, Set.of());
    }

    private static DiagnosisInput of(List<ConfiguredFabric> fabrics, String unstoredAccounts, List<FreeSpace> disks,
            SortedMap<String, String> lost, Set<Long> late) {
        return new DiagnosisInput(fabrics, List.of(), List.of(), Map.of(), List.of(), List.of(), new TreeMap<>(),
            List.of(), List.of(), new Machine(0, 1, 0, 0, 2026), List.of(), List.of(), unstoredAccounts, disks, lost,
            late);
    }
}
