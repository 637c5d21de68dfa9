package org.daqfabric.impl.engine.traffic;

/** Packets and bytes that a rule has matched. */
public record Counted(long packets, long bytes) {
    public static final Counted NOTHING = new Counted(0, 0);

    /** What came since an earlier count of the same rule; all of it if the rule was written anew meanwhile. */
    public Counted since(Counted before) {
        return packets < before.packets || bytes < before.bytes ? this
            : new Counted(packets - before.packets, bytes - before.bytes);
    }
}
