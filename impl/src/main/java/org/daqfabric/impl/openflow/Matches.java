package org.daqfabric.impl.openflow;

import java.util.Optional;
import java.util.OptionalInt;
import org.daqfabric.api.program.Match;
import org.daqfabric.api.spec.Ipv4;
import org.daqfabric.api.spec.Mac;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.inet.types.rev130715.Ipv4Prefix;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.yang.types.rev130715.MacAddress;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.types.rev131026.flow.MatchBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.NodeConnectorId;
import org.opendaylight.yang.gen.v1.urn.opendaylight.l2.types.rev130827.EtherType;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.ethernet.match.fields.EthernetDestinationBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.ethernet.match.fields.EthernetTypeBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.match.EthernetMatchBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.match.layer._3.match.Ipv4Match;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.match.layer._3.match.Ipv4MatchBuilder;
import org.opendaylight.yangtools.yang.common.Uint32;

/** Matches of rules, ours and OpenDaylight's. */
final class Matches {
    private static final String HOST = "/32";

    private Matches() {
    }

    static org.opendaylight.yang.gen.v1.urn.opendaylight.flow.types.rev131026.flow.Match toOdl(final Match match) {
        final var builder = new MatchBuilder();
        match.inPort().ifPresent(port -> builder.setInPort(new NodeConnectorId(Ports.text(port))));
        if (match.etherType() != Match.ANY_TYPE || match.ethernetDestination().isPresent()) {
            final var ethernet = new EthernetMatchBuilder();
            if (match.etherType() != Match.ANY_TYPE) {
                ethernet.setEthernetType(new EthernetTypeBuilder()
                    .setType(new EtherType(Uint32.valueOf(match.etherType())))
                    .build());
            }
            match.ethernetDestination().ifPresent(mac -> ethernet.setEthernetDestination(
                new EthernetDestinationBuilder().setAddress(new MacAddress(mac.toString())).build()));
            builder.setEthernetMatch(ethernet.build());
        }
        match.destination().ifPresent(address -> builder.setLayer3Match(new Ipv4MatchBuilder()
            .setIpv4Destination(new Ipv4Prefix(address + HOST))
            .build()));
        return builder.build();
    }

    /** Reads a match; empty if it says anything that a {@link Match} cannot. */
    static Optional<Match> fromOdl(
            final org.opendaylight.yang.gen.v1.urn.opendaylight.flow.types.rev131026.flow.Match odl) {
        if (odl == null) {
            return Optional.of(Match.ALL);
        }
        OptionalInt inPort = OptionalInt.empty();
        if (odl.getInPort() != null) {
            inPort = Ports.number(odl.getInPort().getValue());
            if (inPort.isEmpty()) {
                return Optional.empty();
            }
        }
        int type = Match.ANY_TYPE;
        final var ethernet = odl.getEthernetMatch();
        if (ethernet != null && ethernet.getEthernetType() != null) {
            type = ethernet.getEthernetType().getType().getValue().intValue();
        }
        Optional<Mac> mac = Optional.empty();
        if (ethernet != null && ethernet.getEthernetDestination() != null) {
            mac = Optional.of(Mac.parse(ethernet.getEthernetDestination().getAddress().getValue()));
        }
        Optional<Ipv4> destination = Optional.empty();
        if (odl.getLayer3Match() instanceof Ipv4Match ipv4 && ipv4.getIpv4Destination() != null) {
            final String prefix = ipv4.getIpv4Destination().getValue();
            if (!prefix.endsWith(HOST)) {
                return Optional.empty();
            }
            destination = Optional.of(Ipv4.parse(prefix.substring(0, prefix.length() - HOST.length())));
        }
        final var match = new Match(inPort, type, mac, destination);
        return sameFields(odl, toOdl(match)) ? Optional.of(match) : Optional.empty();
    }

    /** Whether two matches look at the same fields of a packet. Ports compare by number, written one way or another. */
    private static boolean sameFields(
            final org.opendaylight.yang.gen.v1.urn.opendaylight.flow.types.rev131026.flow.Match left,
            final org.opendaylight.yang.gen.v1.urn.opendaylight.flow.types.rev131026.flow.Match right) {
        return new MatchBuilder(left).setInPort(null).build().equals(new MatchBuilder(right).setInPort(null).build());
    }
}
