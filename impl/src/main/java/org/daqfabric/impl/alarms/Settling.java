package org.daqfabric.impl.alarms;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.daqfabric.api.alarm.AlarmResource;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FabricState.Phase;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.ConfiguredFabric;

/**
 * What is known well enough to judge. A controller that starts or takes over has seen no switch yet, and a fabric that
 * was just configured is being made: until that is done, or {@link #LONGEST} have passed, alarms stay as they are.
 * Times are those of a clock that nobody sets.
 */
final class Settling {
    static final Duration LONGEST = Duration.ofSeconds(10);

    private final Instant begun;
    private final Map<String, Instant> since = new HashMap<>();
    private Set<String> unsettled = Set.of();
    private boolean settled;

    Settling(Instant begun) {
        this.begun = begun;
    }

    void saw(List<ConfiguredFabric> fabrics, Instant now) {
        settled |= now.isAfter(begun.plus(LONGEST));
        since.keySet().retainAll(fabrics.stream().map(each -> each.spec().name()).toList());
        fabrics.forEach(each -> {
            Instant first = since.computeIfAbsent(each.spec().name(), name -> now);
            boolean done = each.state().map(FabricState::phase)
                .filter(phase -> phase == Phase.CONVERGED || phase == Phase.DEGRADED).isPresent();
            if (done || now.isAfter(first.plus(LONGEST)) && each.state().isPresent()) {
                since.put(each.spec().name(), Instant.MIN);
            }
        });
        unsettled = since.entrySet().stream().filter(each -> !each.getValue().equals(Instant.MIN))
            .map(Map.Entry::getKey).collect(Collectors.toSet());
    }

    boolean isJudged(AlarmResource resource) {
        return resource.fabric().isEmpty() || !since.containsKey(resource.fabric()) ? settled
            : !unsettled.contains(resource.fabric());
    }
}
