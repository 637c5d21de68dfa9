package org.daqfabric.api.placement;

/**
 * A switch as its node knows it, and the labels it had when this was stored.
 *
 * @param systemId the node's {@code external_ids:system-id}
 * @param bridge the bridge's name on the node; with {@code systemId} it says which switch this is
 * @param datapathId its OpenFlow datapath-id, 48 bits, which are also its Ethernet address
 * @param plane id of the plane of a leaf or spine; 0 for other switches
 * @param spine id of a spine in its plane; 0 for other switches
 * @param pod id of the pod of a leaf or edge switch; 0 for other switches
 * @param mark the number that stands for a spine, or for the pod of a leaf, in the rules and groups of its plane; 0 for
 *     other switches
 */
public record SwitchIdentity(String systemId, String bridge, long datapathId, int plane, int spine, int pod,
        int mark) {
    /** Whether both are the same bridge of the same node, whatever their labels. */
    public boolean isSameBridge(SwitchIdentity other) {
        return systemId.equals(other.systemId) && bridge.equals(other.bridge);
    }
}
