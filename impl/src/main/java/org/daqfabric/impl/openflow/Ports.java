package org.daqfabric.impl.openflow;

import java.util.OptionalInt;
import org.daqfabric.api.program.Action;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.inventory.rev130819.FlowCapableNodeConnector;

/** Ports as OpenDaylight writes them: a number, a reserved name, or either after {@code openflow:ID:}. */
final class Ports {
    static final String IN_PORT = "IN_PORT";
    static final String CONTROLLER = "CONTROLLER";
    private static final String LOCAL = "LOCAL";

    private Ports() {
    }

    static String text(final int number) {
        return number == Action.LOCAL ? LOCAL : Integer.toUnsignedString(number);
    }

    /** The number of a port; empty for the reserved ports but the bridge's own. */
    static OptionalInt number(final String text) {
        final String last = text.substring(text.lastIndexOf(':') + 1);
        if (last.equals(LOCAL)) {
            return OptionalInt.of(Action.LOCAL);
        }
        try {
            return OptionalInt.of(Integer.parseUnsignedInt(last));
        } catch (NumberFormatException e) {
            return OptionalInt.empty();
        }
    }

    /**
     * Whether a port carries traffic. Loss of BFD clears the live bit and nothing else; Open vSwitch sets that bit on
     * every port that has carrier and, where BFD runs, hears its peer.
     */
    static boolean up(final FlowCapableNodeConnector port) {
        final var state = port.getState();
        final var configuration = port.getConfiguration();
        return state != null && Boolean.TRUE.equals(state.getLive()) && !Boolean.TRUE.equals(state.getLinkDown())
            && (configuration == null || !configuration.getPORTDOWN());
    }
}
