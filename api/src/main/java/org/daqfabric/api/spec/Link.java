package org.daqfabric.api.spec;

/**
 * A link, named by the end under which it was declared.
 *
 * @param end the end that is the key of the {@code link} list; the link's name everywhere
 * @param peer the other end
 * @param capacity Gbps in each direction, above 0
 */
public record Link(PortId end, PortId peer, double capacity, AdminState adminState) {
}
