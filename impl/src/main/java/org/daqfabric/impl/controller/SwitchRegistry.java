package org.daqfabric.impl.controller;

import java.util.SortedMap;
import org.daqfabric.api.placement.SwitchIdentity;

/** Passes the reports of switches to the loops of their fabrics. */
interface SwitchRegistry {
    /** From now on these switches of a fabric report to a loop, and no others. */
    void identified(FabricLoop loop, String fabric, SortedMap<String, SwitchIdentity> switches);
}
