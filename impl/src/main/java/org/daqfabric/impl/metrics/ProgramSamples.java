package org.daqfabric.impl.metrics;

import java.util.SortedMap;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FabricState.SwitchState;
import org.daqfabric.impl.controller.spi.Recorder.SwitchCounts;

/** Samples of desired and realised rules, groups and daqrings per switch, and of the messages sent. */
final class ProgramSamples {
    private ProgramSamples() {
    }

    static void collect(FabricState state, SortedMap<String, SwitchCounts> switches, Samples samples) {
        String fabric = state.fabric();
        switches.forEach((name, counts) -> {
            samples.add(Family.RULES_DESIRED, counts.rules(), fabric, name);
            samples.add(Family.GROUPS_DESIRED, counts.groups(), fabric, name);
            samples.add(Family.DAQRINGS_DESIRED, counts.daqrings(), fabric, name);
            samples.add(Family.MESSAGES_SENT, counts.sent(), fabric, name);
            samples.add(Family.MESSAGES_FAILED, counts.failed(), fabric, name);
        });
        for (SwitchState each : state.switches()) {
            samples.add(Family.RULES_REALISED, each.rules(), fabric, each.name());
            samples.add(Family.GROUPS_REALISED, each.groups(), fabric, each.name());
            samples.add(Family.DAQRINGS_REALISED, each.daqrings().orElse(0), fabric, each.name());
        }
    }
}
