package org.daqfabric.impl.engine.proof;

import java.util.List;
import java.util.function.Predicate;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.Mac;
import org.daqfabric.impl.engine.topology.LinkDirection;

/**
 * The path of a packet that proves something. It leaves by the first direction; from there the rules of the switches
 * lead it to its destination's edge switch, as they lead data.
 *
 * @param directions those it takes, in order; at least one
 * @param destination an address behind the last switch
 * @param mac its Ethernet destination: a mark, by which a leaf chooses the spine, or any
 * @param throughRing whether it waits in a daqring, which may be full
 */
public record ProofPath(List<LinkDirection> directions, Address destination, Mac mac, boolean throughRing) {
    public ProofPath {
        directions = List.copyOf(directions);
    }

    LinkDirection first() {
        return directions.get(0);
    }

    /** The switch behind so many directions. */
    String switchBehind(int count) {
        return directions.get(count - 1).in().switchName();
    }

    /**
     * Behind how many directions the next switch is that can send a packet itself, one or two; 0 if the path cannot be
     * examined: the first switch cannot send a packet, the last one cannot report it, or two in a row are not
     * connected, of which either may be at fault.
     *
     * @param connected whether a switch is connected, by its name
     */
    int behind(Predicate<String> connected) {
        if (!connected.test(first().out().switchName()) || !connected.test(switchBehind(directions.size()))) {
            return 0;
        }
        return connected.test(switchBehind(1)) ? 1 : directions.size() > 1 && connected.test(switchBehind(2)) ? 2 : 0;
    }
}
