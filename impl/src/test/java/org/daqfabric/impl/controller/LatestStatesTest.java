package org.daqfabric.impl.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.daqfabric.api.placement.Capacity;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.impl.controller.spi.StatePublisher;
import org.junit.jupiter.api.Test;

/** The newest states of all fabrics. */
class LatestStatesTest {
    private final List<String> received = new ArrayList<>();
    private final LatestStates states = new LatestStates(new StatePublisher() {
        @Override
        public void publish(FabricState state) {
            received.add(state.fabric() + " " + state.generation());
        }

        @Override
        public void withdraw(String fabric) {
            received.add(fabric + " gone");
        }
    });

    /** Readers get the newest state of each fabric; other publishers get every call. */
    @Test
    void keepsTheNewestAndPassesCallsOn() {
        states.publish(state("b", 1));
        states.publish(state("a", 1));
        states.publish(state("b", 2));
        assertThat(states.of("b")).contains(state("b", 2));
        assertThat(states.all()).containsExactly(state("a", 1), state("b", 2));

        states.withdraw("b");
        assertThat(states.of("b")).isEmpty();
        assertThat(states.all()).containsExactly(state("a", 1));
        assertThat(received).containsExactly("b 1", "a 1", "b 2", "b gone");
    }

    private static FabricState state(String fabric, long generation) {
        return new FabricState(fabric, FabricState.Phase.WAITING, generation, List.of(), List.of(), List.of(),
            List.of(), List.of(), List.of(), List.of(), new Capacity(0, 0, "", 0), Optional.empty(),
            Optional.empty(), Optional.empty());
    }
}
