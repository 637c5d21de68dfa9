package org.daqfabric.api.spec;

/**
 * A readout node, the source of one fragment of every event.
 *
 * @param switchName the switch that runs on the node
 * @param fragmentWeight size of its fragment relative to the others, above 0
 */
public record Ros(String name, Address address, String switchName, double fragmentWeight) {
}
