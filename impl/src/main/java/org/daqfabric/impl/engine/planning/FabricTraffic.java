package org.daqfabric.impl.engine.planning;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.DaqringOptions;
import org.daqfabric.api.spec.Dcm;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.HltRack;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.Pod;
import org.daqfabric.api.spec.Policy;
import org.daqfabric.api.spec.Ros;
import org.daqfabric.impl.engine.check.InvalidInputException;

/** What the configuration of a fabric says about the events that cross it. */
public record FabricTraffic(FabricSpec spec) {
    /** e_R of each ROS, where one of weight 1 sends the given response; bytes. */
    public List<Long> responses(long ofWeight1) {
        List<Long> responses = spec.pods().stream().flatMap(pod -> pod.ros().stream())
            .map(ros -> Math.max(1, Math.round(ofWeight1 * ros.fragmentWeight()))).toList();
        if (responses.isEmpty()) {
            throw refused("ROS");
        }
        return responses;
    }

    /** The IP version of all its ROS and DCMs; 4 of a fabric that has none yet. */
    public static int ipVersion(List<Pod> pods) {
        return pods.stream().flatMap(pod -> Stream.concat(pod.ros().stream().map(Ros::address),
                pod.racks().stream().flatMap(rack -> rack.dcms().stream()).map(Dcm::address)))
            .findFirst().map(Address::isIpv4).orElse(true) ? TcpPacket.IPV4 : TcpPacket.IPV6;
    }

    /** What its hosts send. */
    public TcpPacket packet() {
        return new TcpPacket(spec.policy().mtu().orElse(TcpPacket.USUAL_MTU), ipVersion(spec.pods()));
    }

    /** The fewest Gbps that a DCM has of its rack's uplinks. */
    public double dcmRate() {
        return racks().stream().mapToDouble(rack -> uplinks(rack.switchName()) / rack.dcms().size()).min()
            .orElseThrow(() -> refused("DCM"));
    }

    /** The most DCMs of a rack. */
    public int dcmsOfRack() {
        return racks().stream().mapToInt(rack -> rack.dcms().size()).max().orElseThrow(() -> refused("DCM"));
    }

    /**
     * The largest number of DCMs with a daqring in one switch: those of a pod in its leaf or, if spines have daqrings
     * too, those placed on one spine, evenly spread.
     */
    public int dcmsOfSwitch() {
        int ofLeaf = spec.pods().stream()
            .mapToInt(pod -> pod.racks().stream().mapToInt(rack -> rack.dcms().size()).sum()).max().orElse(0);
        int spines = spec.planes().stream().mapToInt(plane -> plane.spines().size()).sum();
        if (ofLeaf == 0 || spines == 0) {
            throw refused("DCM");
        }
        return spec.policy().daqring().on() == Policy.RingsOn.ALL_SWITCHES
            ? Math.max(ofLeaf, Math.ceilDiv(racks().stream().mapToInt(rack -> rack.dcms().size()).sum(), spines))
            : ofLeaf;
    }

    /** How long the slowest daqring, full, takes to empty towards a DCM whose rack is busy, ms; 0 without daqrings. */
    double drainTime(int mtu) {
        if (!hasDaqrings()) {
            return 0;
        }
        Policy.Daqring policy = spec.policy().daqring();
        return Stream.concat(Stream.of(policy.options()), policy.ofDcms().values().stream())
            .mapToDouble(options -> drainTime(options, mtu)).max().orElseThrow();
    }

    private double drainTime(DaqringOptions options, int mtu) {
        double limit = options.pollingInterval() == 0 ? Double.POSITIVE_INFINITY
            : options.maxBurst() * RingSizing.frameBits(mtu) / options.pollingInterval() / 1000;
        return options.ringSize() * RingSizing.frameBits(mtu) / Math.min(limit, dcmRate()) / 1e6;
    }

    boolean hasDaqrings() {
        Policy.Daqring policy = spec.policy().daqring();
        return policy.on() != Policy.RingsOn.NONE && policy.backend() != Policy.Backend.NONE;
    }

    /** Ports that link a switch, ordered by name. */
    List<String> ports(String switchName) {
        return spec.links().stream()
            .flatMap(link -> List.of(link.end(), link.peer()).stream())
            .filter(port -> port.switchName().equals(switchName)).sorted(Comparator.naturalOrder())
            .map(port -> port.port()).toList();
    }

    private double uplinks(String switchName) {
        return spec.links().stream().filter(link -> link.end().switchName().equals(switchName)
            || link.peer().switchName().equals(switchName)).mapToDouble(Link::capacity).sum();
    }

    private List<HltRack> racks() {
        return spec.pods().stream().flatMap(pod -> pod.racks().stream()).filter(rack -> !rack.dcms().isEmpty())
            .toList();
    }

    private InvalidInputException refused(String what) {
        return new InvalidInputException("fabric", "fabric " + spec.name() + " has no " + what
            + " yet: give the numbers themselves");
    }
}
