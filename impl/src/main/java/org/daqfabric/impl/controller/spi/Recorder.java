package org.daqfabric.impl.controller.spi;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.state.Finding;

/**
 * Hears what is counted of the fabrics and is no part of their state. Called from many threads; returns at once.
 */
public interface Recorder {
    /** Counts nothing. */
    Recorder NONE = new Recorder() {
        @Override
        public void waited(String fabric, Duration time) {
        }

        @Override
        public void settled(FabricSpec inForce, SortedMap<String, SwitchCounts> switches) {
        }

        @Override
        public void compared(String fabric, boolean asked, int switches, List<Finding> findings) {
        }

        @Override
        public void counted(String fabric, String switchName, Instant when, Map<String, Map<String, Long>> ports) {
        }
    };

    /**
     * What a switch must hold, and what it was sent since it came into the fabric.
     *
     * @param sent messages
     * @param failed those of them that were refused or not answered
     */
    record SwitchCounts(int rules, int groups, int daqrings, long sent, long failed) {
    }

    /** An event waited so long for its turn on its fabric's loop. */
    void waited(String fabric, Duration time);

    /**
     * A fabric's loop has acted on a burst of events.
     *
     * @param switches by name
     */
    void settled(FabricSpec inForce, SortedMap<String, SwitchCounts> switches);

    /**
     * Switches were compared with what they must hold.
     *
     * @param asked whether somebody asked for it; the controller does it by itself too
     * @param switches how many
     */
    void compared(String fabric, boolean asked, int switches, List<Finding> findings);

    /**
     * A switch told the statistics of its ports.
     *
     * @param ports values by port and by the names they have in OVSDB
     */
    void counted(String fabric, String switchName, Instant when, Map<String, Map<String, Long>> ports);
}
