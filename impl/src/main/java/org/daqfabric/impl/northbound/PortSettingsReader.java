package org.daqfabric.impl.northbound;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.spec.Dcm;
import org.daqfabric.api.spec.DpdkSettings;
import org.daqfabric.api.spec.PortSettings;
import org.daqfabric.api.spec.PortSettings.Bond;
import org.daqfabric.api.spec.PortSettings.BondMode;
import org.daqfabric.api.spec.PortSettings.XdpMode;
import org.daqfabric.impl.engine.check.Location;
import org.daqfabric.impl.engine.check.Problem;
import org.eclipse.jdt.annotation.Nullable;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.CpuList;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.FabricConfiguration;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabric.configuration._switch.Dpdk;
import org.opendaylight.yangtools.yang.common.Uint16;

/** Reads how ports are reached, which is said at links and DCMs, as settings of switches. */
final class PortSettingsReader {
    private final Map<String, SortedMap<String, PortSettings>> settings = new HashMap<>();
    private final List<Problem> problems = new ArrayList<>();

    private PortSettingsReader() {
    }

    /**
     * Reads a fabric.
     *
     * @param location of the fabric
     */
    static PortSettingsReader of(FabricConfiguration fabric, Location location) {
        PortSettingsReader reader = new PortSettingsReader();
        fabric.nonnullLink().values().forEach(link -> {
            Location at = location.entry("link", "switch", link.requireSwitch().getValue(), "port",
                link.requirePort().getValue());
            reader.put(link.requireSwitch().getValue(), link.requirePort().getValue(), read(link.getPortSettings()),
                at.child("port-settings"));
            reader.put(link.requirePeerSwitch().getValue(), link.requirePeerPort().getValue(),
                read(link.getPeerPortSettings()), at.child("peer-port-settings"));
        });
        fabric.nonnullPod().values().forEach(pod -> pod.nonnullHltRack().values().forEach(rack ->
            rack.nonnullDcm().values().forEach(dcm -> reader.put(rack.requireSwitch().getValue(),
                dcm.getPort() == null ? Dcm.LOCAL : dcm.getPort().getValue(), read(dcm.getPortSettings()),
                location.entry("pod", "id", pod.requireId().getValue())
                    .entry("hlt-rack", "name", rack.requireName().getValue())
                    .entry("dcm", "name", dcm.requireName().getValue()).child("port-settings")))));
        return reader;
    }

    /** The settings of a switch's ports that have some. */
    SortedMap<String, PortSettings> of(String switchName) {
        SortedMap<String, PortSettings> own = new TreeMap<>(settings.getOrDefault(switchName, new TreeMap<>()));
        own.values().removeIf(PortSettings.SYSTEM::equals);
        return own;
    }

    /** Ports of which different things are said, which a switch's settings cannot express. */
    List<Problem> problems() {
        return problems;
    }

    private void put(String switchName, String port, PortSettings read, Location location) {
        PortSettings other = settings.computeIfAbsent(switchName, name -> new TreeMap<>()).putIfAbsent(port, read);
        if (other != null && !other.equals(read)) {
            problems.add(new Problem(location, "port " + switchName + ":" + port + " has different settings elsewhere:"
                + " give all that are behind it the same"));
        }
    }

    private static PortSettings read(
            org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.@Nullable PortSettings given) {
        if (given == null) {
            return PortSettings.SYSTEM;
        }
        var bond = given.getBond();
        boolean hasBond = bond != null && (bond.getMode() != null || bond.getMember() != null);
        return new PortSettings(Enums.ours(given.getKind(), PortSettings.Kind.SYSTEM),
            Optional.ofNullable(given.getDevargs()).map(device -> device.getValue()),
            !hasBond ? Optional.empty() : Optional.of(new Bond(Enums.ours(bond.getMode(), BondMode.ACTIVE_BACKUP),
                bond.getMember() == null ? List.of()
                    : bond.getMember().stream().map(device -> device.getValue()).toList())),
            Optional.ofNullable(given.getXdpMode()).map(mode -> Enums.ours(mode, XdpMode.BEST_EFFORT)),
            number(given.getNRxq()), number(given.getNRxqDesc()), number(given.getNTxqDesc()));
    }

    /** What the node of a switch needs for such ports. */
    static DpdkSettings dpdk(@Nullable Dpdk given) {
        return given == null ? DpdkSettings.NONE : new DpdkSettings(Optional.ofNullable(given.getSocketMem()),
            Optional.ofNullable(given.getPmdCpus()).map(CpuList::getValue),
            Optional.ofNullable(given.getLcoreCpus()).map(CpuList::getValue), Optional.ofNullable(given.getExtra()));
    }

    private static OptionalInt number(@Nullable Uint16 value) {
        return value == null ? OptionalInt.empty() : OptionalInt.of(value.toJava());
    }
}
