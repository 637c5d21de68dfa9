package org.daqfabric.impl.controller;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.state.FabricState.LinkState;
import org.daqfabric.api.state.FabricState.Loss;
import org.daqfabric.api.state.FabricState.Traffic;

/**
 * What links are planned to carry, and what they carry.
 *
 * @param peers the other end of each link, by the end under which it is declared
 * @param planned Gbps by the end that sends
 * @param measured by switch
 * @param losses by the end that sends
 */
record LinkTraffic(Map<PortId, PortId> peers, Map<PortId, Double> planned, Map<String, PortRates> measured,
        Map<PortId, Loss> losses, Instant now) {
    /** The links with their traffic. */
    List<LinkState> of(List<LinkState> links) {
        return links.stream().map(link -> {
            PortId peer = peers.get(link.end());
            return link.with(traffic(link.end(), peer), traffic(peer, link.end()));
        }).toList();
    }

    /** As the sending end counts it, or else the other one. */
    private Traffic traffic(PortId from, PortId to) {
        OptionalDouble sent = rates(from).transmitted(from.port(), now);
        return new Traffic(planned.getOrDefault(from, 0.0),
            sent.isPresent() ? sent : rates(to).received(to.port(), now), Optional.ofNullable(losses.get(from)));
    }

    private PortRates rates(PortId port) {
        return measured.getOrDefault(port.switchName(), PortRates.UNKNOWN);
    }
}
