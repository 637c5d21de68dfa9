package org.daqfabric.api;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedSet;
import org.daqfabric.api.plan.Effect;
import org.daqfabric.api.plan.FabricParts;
import org.daqfabric.api.plan.TraceResult;
import org.daqfabric.api.plan.WhatIf;
import org.daqfabric.api.run.PartitionState;
import org.daqfabric.api.spec.AdminState;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.state.Advice;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.Verification;

/**
 * What the controller's own shell, and any other bundle, may ask of the application; published as an OSGi service while
 * it runs. All methods may be called from any thread; those that ask switches wait for their answers. What cannot be
 * done is refused with a {@link NotDoneException}.
 */
public interface FabricService {
    /** Names of the configured fabrics. */
    SortedSet<String> fabrics();

    /** A fabric as it is configured. */
    FabricSpec spec(String fabric);

    /** A fabric as it runs; refused in the moment between its configuration and its first state. */
    FabricState state(String fabric);

    /**
     * Compares switches with what they must hold.
     *
     * @param switches all if empty
     */
    Verification verify(String fabric, Set<String> switches);

    /** The same, and puts right what differs. */
    Verification resync(String fabric, Set<String> switches);

    /**
     * Takes into use what is held back, and places anew where that gains.
     *
     * @param most DCMs that may move at most; empty for no limit
     * @return number of DCMs that move
     */
    int rebalance(String fabric, OptionalInt most);

    /** What a change or failures would do; nothing is touched. */
    Effect plan(String fabric, WhatIf question);

    /** The way of packets between a ROS and a DCM, now and if something fails. */
    TraceResult trace(String fabric, String ros, String dcm, FabricParts fail);

    /** Writes into the configuration what the operator wants of switches and links; refused for what any write is. */
    void setAdminState(String fabric, FabricParts parts, AdminState state);

    /** The partitions of all run controllers, ordered by name. */
    List<PartitionState> partitions();

    /**
     * Looks for whatever keeps fabrics from working, from the controller's own ports to the cables.
     *
     * @param fabric all if empty
     * @return worst first
     */
    List<Advice> examine(Optional<String> fabric);
}
