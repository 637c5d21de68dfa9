package org.daqfabric.impl.controller.spi;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Supplier;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.state.Finding;

/**
 * Receives counts and times that are not part of {@code FabricState}. Called from many threads; returns at once.
 */
public interface Recorder {
    /** Records nothing. */
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

        @Override
        public void ringsDeleted(String fabric, long packets) {
        }

        @Override
        public void loopBegun(String fabric, Supplier<LoopState> loop) {
        }

        @Override
        public void loopEnded(String fabric) {
        }
    };

    /**
     * The size of a switch's desired program, and the messages sent to it since it joined the fabric.
     *
     * @param sent number of messages
     * @param failed how many of them were refused or not answered
     */
    record SwitchCounts(int rules, int groups, int daqrings, long sent, long failed) {
    }

    /**
     * How a fabric's event loop is.
     *
     * @param standing since an event ended, while others wait or one still runs; zero while none does
     * @param failures number of events that threw something
     * @param rebuilds how often the loop was replaced because of that
     * @param unstored how long the decision in force has not been stored; zero if it is
     */
    record LoopState(Duration standing, long failures, long rebuilds, Duration unstored) {
    }

    /**
     * A fabric has an event loop here from now on.
     *
     * @param loop its state at the moment of the call; may be called by any thread
     */
    void loopBegun(String fabric, Supplier<LoopState> loop);

    /** A fabric has no event loop here any more. */
    void loopEnded(String fabric);

    /**
     * Daqrings were deleted that had not become empty in their time.
     *
     * @param packets those that they held
     */
    void ringsDeleted(String fabric, long packets);

    /** An event waited for this time before its fabric's loop handled it. */
    void waited(String fabric, Duration time);

    /**
     * A fabric's loop has handled a burst of events.
     *
     * @param inForce the configuration in force
     * @param switches counts by name of the switch
     */
    void settled(FabricSpec inForce, SortedMap<String, SwitchCounts> switches);

    /**
     * Switches were compared with their desired programs.
     *
     * @param asked whether on request; the controller also compares periodically
     * @param switches number of switches
     */
    void compared(String fabric, boolean asked, int switches, List<Finding> findings);

    /**
     * A switch reported the statistics of its ports.
     *
     * @param ports values by port and by their names in OVSDB
     */
    void counted(String fabric, String switchName, Instant when, Map<String, Map<String, Long>> ports);
}
