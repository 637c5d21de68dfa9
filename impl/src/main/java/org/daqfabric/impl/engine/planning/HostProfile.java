package org.daqfabric.impl.engine.planning;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.impl.engine.check.InvalidInputException;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Topology;
import org.eclipse.jdt.annotation.Nullable;

/**
 * What makes a Linux host fit a fabric, in the order in which it is to be done; docs/edge-hosts.md tells it at length.
 *
 * @param settings each with its commands
 */
public record HostProfile(List<Setting> settings) {
    /**
     * The profile of a ROS, a DCM or another host, which receives as a DCM does.
     *
     * @param host its name or address
     * @param device the network interface of a DCM behind a port; null for all others
     * @param response bytes of event data that a ROS of weight 1 sends for an event
     * @param cwnd congestion window to lock a ROS at
     */
    public static HostProfile of(FabricSpec spec, String host, @Nullable String device, long response, int mtu,
            OptionalInt cwnd) {
        FabricTraffic traffic = new FabricTraffic(spec);
        EventTransfer event = new EventTransfer(traffic.responses(response),
            new TcpPacket(mtu, traffic.packet().ipVersion()));
        spec.policy().mtu().ifPresent(most -> {
            if (mtu > most) {
                throw new InvalidInputException("mtu", "an mtu of " + mtu + " bytes is above " + most
                    + ", that of fabric " + spec.name() + ", which would drop such packets: leave it out");
            }
        });
        Topology topology = new Topology(spec);
        Host found = Host.of(topology, traffic, host, device);
        if (cwnd.isPresent()) {
            Range.check("cwnd", cwnd.getAsInt(), 1, 65_535);
            if (found.endpoint().kind() != Endpoint.Kind.ROS) {
                throw new InvalidInputException("cwnd", host + " is no ROS, which alone is asked: leave it out");
            }
        }
        TcpSettings tcp = new TcpSettings(traffic, found, event, response, cwnd);
        List<Setting> settings = new ArrayList<>(new AddressSettings(topology, found, mtu, tcp.routeOptions()).all());
        settings.addAll(tcp.all());
        settings.addAll(NicSettings.of(found));
        return new HostProfile(List.copyOf(settings));
    }

    /** All commands, for sh. */
    public String script() {
        return settings.stream()
            .flatMap(setting -> Stream.concat(Stream.of("# " + setting.name() + ": " + setting.value()),
                setting.commands().stream()))
            .collect(Collectors.joining("\n", "", "\n"));
    }
}
