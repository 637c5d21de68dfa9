package org.daqfabric.api;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedSet;
import org.daqfabric.api.alarm.Alarm;
import org.daqfabric.api.alarm.AlarmId;
import org.daqfabric.api.alarm.OperatorState;
import org.daqfabric.api.history.FabricChanges;
import org.daqfabric.api.history.FabricVersion;
import org.daqfabric.api.plan.Effect;
import org.daqfabric.api.plan.FabricParts;
import org.daqfabric.api.plan.Schedule;
import org.daqfabric.api.plan.TraceResult;
import org.daqfabric.api.plan.WhatIf;
import org.daqfabric.api.program.SwitchRules;
import org.daqfabric.api.run.PartitionState;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.AdminState;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.state.Advice;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.MarkedBridge;
import org.daqfabric.api.state.PendingRemoval;
import org.daqfabric.api.state.TrafficMatrix.Weights;
import org.daqfabric.api.state.Verification;

/**
 * The service for the controller's own shell and for other bundles, published in OSGi while the application runs. All
 * methods may be called from any thread; those that read switches wait for their answers. A request that cannot be met
 * throws {@link NotDoneException}.
 */
public interface FabricService {
    /** Names of the configured fabrics. */
    SortedSet<String> fabrics();

    /** The configuration of a fabric. */
    FabricSpec spec(String fabric);

    /** A fabric as it runs; refused between its configuration and its first state. */
    FabricState state(String fabric);

    /**
     * Compares switches with what they must hold.
     *
     * @param switches all if empty
     */
    Verification verify(String fabric, Set<String> switches);

    /** The same, and repairs what differs. */
    Verification resync(String fabric, Set<String> switches);

    /**
     * Uses links that are held back, and places DCMs anew where that raises the bandwidth.
     *
     * @param most how many DCMs may move; empty for no limit
     * @return how many DCMs move
     */
    int rebalance(String fabric, OptionalInt most);

    /**
     * The weights of the events that are built now, from what ROS send to DCMs; refused if nothing is sent.
     *
     * @param seconds how long to measure, 0 to 60; 0 for everything that was counted since the rules were written
     */
    Weights weights(String fabric, int seconds);

    /** What a change or failures would do; nothing changes. */
    Effect plan(String fabric, WhatIf question);

    /** The path of packets between a ROS and a DCM, now and after failures. */
    TraceResult trace(String fabric, String ros, String dcm, FabricParts fail);

    /** Phases in which no two nodes need the same link, on the paths that packets take now. */
    Schedule schedule(String fabric);

    /**
     * The rules and groups that a switch must hold and those it holds; reads the switch and changes nothing.
     *
     * @param address only what concerns packets to it; empty for all
     */
    SwitchRules rules(String fabric, String switchName, Optional<Address> address);

    /** Switches, ports and working links as a JSON document of RFC 8345. */
    String networks(String fabric);

    /**
     * Writes the admin-state of switches and links into the configuration; refused where any other write is.
     *
     * @param seen the configuration whose change the user has seen the effect of, and agreed to: nothing is changed if
     *     it is another by now; empty if the user has agreed to any effect
     */
    void setAdminState(String fabric, FabricParts parts, AdminState state, Optional<FabricSpec> seen);

    /** The last accepted configurations of a fabric, newest first; also of one that was removed. */
    List<FabricVersion> versions(String fabric);

    /** The configuration of a version. */
    FabricSpec version(String fabric, long version);

    /**
     * What differs between two configurations of a fabric.
     *
     * @param from a version; empty for the present configuration
     * @param to a version; empty for the present configuration
     */
    FabricChanges compare(String fabric, OptionalLong from, OptionalLong to);

    /**
     * Configures a fabric as it was in a version; refused where any other write is.
     *
     * @param user who asks; empty if that is not known for certain
     * @param reason why; empty if none was given
     * @param seen what the user has seen that it changes, and agreed to: nothing is changed if it would change
     *     something else by now; empty if the user has agreed to whatever it changes
     * @return what changes
     */
    FabricChanges rollBack(String fabric, long version, Optional<String> user, Optional<String> reason,
            Optional<FabricChanges> seen);

    /** The partitions of all run controllers, ordered by name. */
    List<PartitionState> partitions();

    /** Bridges of connected nodes that daqfabric made, that no configured fabric has and that are not to be removed. */
    List<MarkedBridge> orphans();

    /** Bridges that fabrics have left and that are still to be removed. */
    List<PendingRemoval> pendingRemovals();

    /**
     * Looks for anything that keeps fabrics from working, from the controller's own ports to the cables.
     *
     * @param fabric all if empty
     * @return worst first
     */
    List<Advice> examine(Optional<String> fabric);

    /** All alarms, by resource: those raised, and those cleared and not purged yet. */
    List<Alarm> alarms();

    /**
     * Sets what an operator says of alarms.
     *
     * @param operator who; empty if that is not known for certain
     * @param text why; may be empty
     * @return those alarms, as they are then
     */
    List<Alarm> setOperatorState(Set<AlarmId> alarms, OperatorState state, Optional<String> operator, String text);

    /** Removes those of the alarms that are cleared, and returns their number. */
    int purgeAlarms(Set<AlarmId> alarms);

    /** All that is stored: configurations, decisions with port numbers, partitions. */
    FabricBackup backup();

    /**
     * Stores what a backup holds, all or nothing, and continues from it; refused during a run.
     *
     * @param backup the text of a backup
     * @param replace whether to replace fabrics that are configured already
     */
    RestoreResult restore(String backup, boolean replace);
}
