package org.daqfabric.impl.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.daqfabric.api.placement.Capacity;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.impl.controller.spi.StatePublisher;
import org.junit.jupiter.api.Test;

class LatestStatesTest {
    private final List<String> heard = new ArrayList<>();
    private final LatestStates book = new LatestStates(new StatePublisher() {
        @Override
        public void publish(FabricState state) {
            heard.add(state.fabric() + " " + state.generation());
        }

        @Override
        public void withdraw(String fabric) {
            heard.add(fabric + " gone");
        }
    });

    /** Readers see the newest of each fabric that is there, the others hear of everything. */
    @Test
    void keepsTheNewestAndHandsOn() {
        book.publish(state("b", 1));
        book.publish(state("a", 1));
        book.publish(state("b", 2));
        assertThat(book.of("b")).contains(state("b", 2));
        assertThat(book.all()).containsExactly(state("a", 1), state("b", 2));

        book.withdraw("b");
        assertThat(book.of("b")).isEmpty();
        assertThat(book.all()).containsExactly(state("a", 1));
        assertThat(heard).containsExactly("b 1", "a 1", "b 2", "b gone");
    }

    private static FabricState state(String fabric, long generation) {
        return new FabricState(fabric, FabricState.Phase.WAITING, generation, List.of(), List.of(), List.of(), List.of(),
            List.of(), new Capacity(0, 0, "", 0), Optional.empty());
    }
}
