package org.daqfabric.impl.northbound;

import static org.daqfabric.impl.northbound.Defaults.or;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.Dcm;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Flow;
import org.daqfabric.api.spec.HltRack;
import org.daqfabric.api.spec.Host;
import org.daqfabric.api.spec.Leaf;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.Mac;
import org.daqfabric.api.spec.Plane;
import org.daqfabric.api.spec.Pod;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.spec.Ros;
import org.daqfabric.api.spec.Spine;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.api.spec.Switch.OvsdbAddress;
import org.daqfabric.impl.engine.check.Location;
import org.daqfabric.impl.engine.check.Problem;
import org.daqfabric.impl.engine.planning.FabricTraffic;
import org.daqfabric.impl.engine.planning.RingSizing;
import org.daqfabric.impl.engine.planning.TcpPacket;
import org.eclipse.jdt.annotation.Nullable;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.FabricConfiguration;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.HostMac;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.InterfaceName;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.LinkRate;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.Weight;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabric.configuration.flow.amount.Rate;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabric.configuration.flow.amount.Share;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabrics.Fabric;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads a fabric from the configuration, with every default filled in. */
final class FabricReader {
    private static final Logger LOG = LoggerFactory.getLogger(FabricReader.class);

    /**
     * A fabric as it was read.
     *
     * @param spec empty if the fabric cannot be read at all
     * @param problems mistakes that {@link FabricSpec} cannot express, or why there is none
     */
    record Result(Optional<FabricSpec> spec, List<Problem> problems) {
    }

    private final String name;
    private final Location location;
    private final FabricConfiguration fabric;
    private final double linkCapacity;
    private final List<Problem> problems = new ArrayList<>();

    private FabricReader(String name, Location location, FabricConfiguration fabric) {
        this.name = name;
        this.location = location;
        this.fabric = fabric;
        linkCapacity = rate(fabric.getLinkCapacity(), Defaults.LINK_CAPACITY);
    }

    static Result read(Fabric fabric) {
        String name = fabric.requireName().getValue();
        return read(name, Location.fabric(name), fabric);
    }

    /**
     * Reads the description of a fabric.
     *
     * @param location of the node that describes it
     */
    @SuppressWarnings("checkstyle:illegalCatch") // one fabric must not hide the others
    static Result read(String name, Location location, FabricConfiguration fabric) {
        try {
            List<Problem> missing = RequiredLeaves.missing(fabric, location);
            if (!missing.isEmpty()) {
                return new Result(Optional.empty(), missing);
            }
            FabricReader reader = new FabricReader(name, location, fabric);
            FabricSpec spec = reader.spec();
            return new Result(Optional.of(spec), List.copyOf(reader.problems));
        } catch (RuntimeException e) {
            LOG.warn("Fabric {} cannot be read", name, e);
            return new Result(Optional.empty(), List.of(new Problem(location,
                "the fabric cannot be read: " + e.getMessage())));
        }
    }

    private FabricSpec spec() {
        List<Pod> pods = pods();
        return new FabricSpec(name, planes(), pods, switches(), links(),
            PolicyReader.read(fabric, () -> RingSizing.standard(pods.stream()
                .flatMap(pod -> pod.ros().stream()).map(Ros::fragmentWeight).toList(),
                new TcpPacket(PolicyReader.mtu(fabric).orElse(TcpPacket.USUAL_MTU), FabricTraffic.ipVersion(pods)))),
            flows());
    }

    private List<Plane> planes() {
        return fabric.nonnullPlane().values().stream().map(plane -> new Plane(
            plane.requireId().getValue().toJava(),
            plane.nonnullSpine().values().stream()
                .map(spine -> new Spine(spine.requireId().getValue().toJava(), spine.requireSwitch().getValue()))
                .toList(),
            plane.nonnullLeaf().values().stream()
                .map(leaf -> new Leaf(leaf.requirePod().getValue().toJava(), leaf.requireSwitch().getValue()))
                .toList())).toList();
    }

    private List<Pod> pods() {
        return fabric.nonnullPod().values().stream().map(pod -> new Pod(
            pod.requireId().getValue().toJava(),
            pod.nonnullRos().values().stream().map(ros -> new Ros(
                ros.requireName().getValue(),
                Address.parse(ros.requireAddress().getValue()),
                ros.requireSwitch().getValue(),
                weight(ros.getFragmentWeight()))).toList(),
            pod.nonnullHltRack().values().stream().map(rack -> new HltRack(
                rack.requireName().getValue(),
                rack.requireSwitch().getValue(),
                rack.nonnullDcm().values().stream().map(dcm -> new Dcm(
                    dcm.requireName().getValue(),
                    Address.parse(dcm.requireAddress().getValue()),
                    weight(dcm.getWeight()),
                    port(dcm.getPort()),
                    mac(dcm.getMac()))).toList()
            )).toList(),
            pod.nonnullHost().values().stream().map(host -> new Host(
                host.requireName().getValue(),
                Address.parse(host.requireAddress().getValue()),
                host.requireSwitch().getValue(),
                port(host.getPort()),
                mac(host.getMac()))).toList())).toList();
    }

    private static String port(@Nullable InterfaceName port) {
        return port == null ? Dcm.LOCAL : port.getValue();
    }

    private static Optional<Mac> mac(@Nullable HostMac mac) {
        return Optional.ofNullable(mac).map(each -> Mac.parse(each.getValue()));
    }

    private List<Flow> flows() {
        return fabric.nonnullFlow().values().stream().map(flow -> new Flow(
            flow.requireName().getValue(), flow.requireFrom().getValue(), flow.requireTo().getValue(),
            Enums.ours(flow.getKind(), Flow.Kind.EVENTS),
            flow.getAmount() instanceof Rate byRate ? byRate.requireRate().getValue().doubleValue() : 0,
            flow.getAmount() instanceof Share byShare ? byShare.requireShare().getValue().doubleValue() : 0)).toList();
    }

    private List<Switch> switches() {
        PortSettingsReader ports = PortSettingsReader.of(fabric, location);
        problems.addAll(ports.problems());
        return fabric.nonnullSwitch().values().stream().map(sw -> {
            String switchName = sw.requireName().getValue();
            if (sw.getOvsdbPort() != null && sw.getOvsdbAddress() == null) {
                problems.add(new Problem(location.entry("switch", "name", switchName).child("ovsdb-port"),
                    "switch '" + switchName + "' has an ovsdb-port and no ovsdb-address: add the address of the node's"
                    + " OVSDB server, or remove the port if the node connects to the controller"));
            }
            return new Switch(switchName,
                or(sw.getSystemId(), switchName),
                Optional.ofNullable(sw.getOvsdbAddress()).map(host -> new OvsdbAddress(host.stringValue(),
                    sw.getOvsdbPort() == null ? Defaults.OVSDB_PORT : sw.getOvsdbPort().getValue().toJava())),
                sw.getBridge() == null ? Defaults.BRIDGE : sw.getBridge().getValue(),
                Enums.datapathType(sw.getDatapathType()),
                Enums.adminState(sw.getAdminState()), ports.of(switchName),
                PortSettingsReader.dpdk(sw.getDpdk()),
                Optional.ofNullable(sw.getCertificateName()));
        }).toList();
    }

    private List<Link> links() {
        return fabric.nonnullLink().values().stream().map(link -> new Link(
            new PortId(link.requireSwitch().getValue(), link.requirePort().getValue()),
            new PortId(link.requirePeerSwitch().getValue(), link.requirePeerPort().getValue()),
            rate(link.getCapacity(), linkCapacity),
            Enums.adminState(link.getAdminState()))).toList();
    }

    private static double rate(LinkRate rate, double otherwise) {
        return rate == null ? otherwise : rate.getValue().doubleValue();
    }

    private static double weight(Weight weight) {
        return weight == null ? Defaults.WEIGHT : weight.getValue().doubleValue();
    }
}
