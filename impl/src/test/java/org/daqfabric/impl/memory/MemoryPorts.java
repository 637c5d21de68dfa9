package org.daqfabric.impl.memory;

import java.util.Set;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.state.PortBit;

/** What others do to the ports of switches of a network in memory. */
public final class MemoryPorts {
    private final MemoryOpenFlow openFlow;
    private final NetworkState state;

    MemoryPorts(MemoryOpenFlow openFlow, NetworkState state) {
        this.openFlow = openFlow;
        this.state = state;
    }

    /** Another program sets bits on a port, or nobody does any longer. */
    public void setBits(PortId port, Set<PortBit> bits) {
        openFlow.setBits(state.at(port.switchName()), port.port(), bits);
    }

    /** How often bits of ports were cleared. */
    public int cleared() {
        return openFlow.cleared();
    }

    /** Sets what a port of a switch holds, if it is a daqring. */
    public void hold(String switchName, int number, long packets) {
        state.at(switchName).held.put(number, packets);
    }

    /** Every port whose cabling the controller watches tells the port at the other end of its cable its own number. */
    public void checkCabling() {
        openFlow.probeCabling();
    }
}
