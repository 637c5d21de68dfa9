package org.daqfabric.api.state;

import java.util.Comparator;
import org.daqfabric.api.spec.Switch;

/**
 * A bridge of a node as the fabric that made it knows it; a bridge of the same name made by another fabric is another
 * one.
 *
 * @param systemId the node's {@code external_ids:system-id}
 * @param fabric the fabric's name, which marks the bridge ({@code external_ids:daqfabric})
 */
public record MarkedBridge(String systemId, String bridge, String fabric) implements Comparable<MarkedBridge> {
    private static final Comparator<MarkedBridge> ORDER = Comparator.comparing(MarkedBridge::systemId)
        .thenComparing(MarkedBridge::bridge).thenComparing(MarkedBridge::fabric);

    /** The bridge of a fabric's switch. */
    public static MarkedBridge of(String fabric, Switch description) {
        return new MarkedBridge(description.systemId(), description.bridge(), fabric);
    }

    @Override
    public int compareTo(MarkedBridge other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return "bridge " + bridge + " of node " + systemId + " (fabric " + fabric + ")";
    }
}
