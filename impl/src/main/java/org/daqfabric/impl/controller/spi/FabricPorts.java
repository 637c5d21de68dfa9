package org.daqfabric.impl.controller.spi;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.state.FabricState;

/**
 * The ports of a fabric at one moment, as its switches have reported them, with the state that was published then.
 *
 * @param spec the configuration in force
 * @param numbers the OpenFlow numbers that ports and daqrings must have
 * @param reported by switch
 */
public record FabricPorts(FabricState state, FabricSpec spec, PortNumbers numbers,
        SortedMap<String, Reported> reported) {
    public FabricPorts {
        reported = Collections.unmodifiableSortedMap(new TreeMap<>(reported));
    }

    /**
     * What a switch has reported.
     *
     * @param ports by name, over OVSDB
     * @param live whether a port forwards, by number, over OpenFlow
     */
    public record Reported(Map<String, BridgeListener.PortStatus> ports, Map<Integer, Boolean> live) {
        public static final Reported NOTHING = new Reported(Map.of(), Map.of());
    }
}
