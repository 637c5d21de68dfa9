package org.daqfabric.impl.engine.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.daqfabric.api.program.Rule;

/**
 * The path of a packet.
 *
 * @param hops the switches it passed, in order; one with a daqring appears twice
 * @param problem why it did not arrive; empty if it did
 */
public record PacketPath(List<Hop> hops, String problem) {
    public PacketPath {
        hops = List.copyOf(hops);
    }

    /**
     * A packet in one switch.
     *
     * @param inPort OpenFlow number
     * @param outPort OpenFlow number
     * @param outName name of the port it left by
     * @param rule the rule it matched
     * @param group the group the rule points to, if any
     */
    public record Hop(String switchName, int inPort, int outPort, String outName, Rule rule, OptionalInt group) {
    }

    static PacketPath delivered(List<Hop> hops) {
        return new PacketPath(hops, "");
    }

    static PacketPath lost(List<Hop> hops, String why) {
        return new PacketPath(hops, why);
    }

    public boolean arrived() {
        return problem.isEmpty();
    }

    /** Names of the switches passed; one passed through its daqring counts once, one come back to twice. */
    public List<String> switches() {
        List<String> names = new ArrayList<>();
        for (Hop hop : hops) {
            if (names.isEmpty() || !names.get(names.size() - 1).equals(hop.switchName())) {
                names.add(hop.switchName());
            }
        }
        return names;
    }
}
