package org.daqfabric.impl.engine.compile;

/** The priorities of the rules: of all rules that match a packet, a switch applies the one with the highest. */
final class RulePriority {
    /** A packet that proves a path, in the edge switch where it ends; above all rules for data. */
    static final int PROOF = 3500;
    /** A packet that leaves a daqring; above all rules that could send it back into one. */
    static final int FROM_RING = 3000;
    /** A packet that a spine turned back. */
    static final int TURNED_BACK = 2500;
    /** A packet of control, which is marked or passes a DCM's daqring by; above the rule for others to its address. */
    static final int CONTROL = 2250;
    /** A packet to one address; a rule for a prefix has one less for each bit that the prefix leaves free. */
    static final int TO_ADDRESS = 2000;
    static final int LLDP = 1000;
    static final int DROP = 0;

    private RulePriority() {
    }
}
