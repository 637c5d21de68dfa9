package org.daqfabric.impl.northbound;

import static org.daqfabric.impl.northbound.Defaults.or;

import java.util.Collection;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntSupplier;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.spec.DaqringOptions;
import org.daqfabric.api.spec.Policy.Daqring;
import org.daqfabric.api.spec.Policy.Placement;
import org.daqfabric.api.spec.Policy.Protection;
import org.eclipse.jdt.annotation.Nullable;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.FabricConfiguration;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabric.configuration.Pod;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabric.configuration.Policy;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabric.configuration.PolicyBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabric.configuration.pod.HltRack;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabric.configuration.pod.hlt.rack.Dcm;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabric.configuration.policy.DaqringBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabric.configuration.policy.PlacementBuilder;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabric.configuration.policy.ProtectionBuilder;

/** Reads the policy of a fabric, any part of which may be absent. */
final class PolicyReader {
    private PolicyReader() {
    }

    /**
     * Reads a policy.
     *
     * @param fabric whose racks and DCMs may say otherwise of their daqrings
     * @param ringSize of daqrings where the policy does not say
     */
    static org.daqfabric.api.spec.Policy read(FabricConfiguration fabric, IntSupplier ringSize) {
        Policy policy = or(fabric.getPolicy(), new PolicyBuilder().build());
        return new org.daqfabric.api.spec.Policy(placement(policy),
            daqring(policy, ringSize, fabric.nonnullPod().values()), protection(policy), Enums.rules(policy.getRules()),
            mtu(fabric));
    }

    /** The MTU that the fabric's ports are given. */
    static OptionalInt mtu(FabricConfiguration fabric) {
        return fabric.getMtu() == null ? OptionalInt.empty() : OptionalInt.of(fabric.getMtu().toJava());
    }

    private static Placement placement(Policy policy) {
        var placement = or(policy.getPlacement(), new PlacementBuilder().build());
        return new Placement(Enums.algorithm(placement.getAlgorithm()), Enums.onReturn(placement.getReturn()),
            Enums.granularity(placement.getGranularity()));
    }

    private static Daqring daqring(Policy policy, IntSupplier ringSize, Collection<Pod> pods) {
        var daqring = or(policy.getDaqring(), new DaqringBuilder().build());
        DaqringOptions options = options(daqring, new DaqringOptions(
            daqring.getRingSize() == null ? ringSize.getAsInt() : 0, Defaults.MAX_BURST, Defaults.POLLING_INTERVAL));
        SortedMap<Address, DaqringOptions> ofDcms = new TreeMap<>();
        for (Pod pod : pods) {
            for (HltRack rack : pod.nonnullHltRack().values()) {
                DaqringOptions ofRack = options(rack.getDaqring(), options);
                for (Dcm dcm : rack.nonnullDcm().values()) {
                    DaqringOptions ofDcm = options(dcm.getDaqring(), ofRack);
                    if (!ofDcm.equals(options)) {
                        ofDcms.put(Address.parse(dcm.requireAddress().getValue()), ofDcm);
                    }
                }
            }
        }
        return new Daqring(Enums.ringsOn(daqring.getOn()), Enums.backend(daqring.getBackend()), options, ofDcms);
    }

    private static DaqringOptions options(
            org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.@Nullable DaqringOptions given,
            DaqringOptions otherwise) {
        return given == null ? otherwise : new DaqringOptions(
            given.getRingSize() == null ? otherwise.ringSize() : given.getRingSize().intValue(),
            given.getMaxBurst() == null ? otherwise.maxBurst() : given.getMaxBurst().intValue(),
            given.getPollingInterval() == null ? otherwise.pollingInterval() : given.getPollingInterval().intValue(),
            given.getCredit() == null ? otherwise.credit() : OptionalInt.of(given.getCredit().intValue()),
            given.getEcnThreshold() == null ? otherwise.ecnThreshold()
                : OptionalInt.of(given.getEcnThreshold().intValue()));
    }

    private static Protection protection(Policy policy) {
        var protection = or(policy.getProtection(), new ProtectionBuilder().build());
        return new Protection(or(protection.getFastFailover(), Defaults.FAST_FAILOVER),
            or(protection.getBfd(), Defaults.BFD),
            protection.getBfdInterval() == null ? Defaults.BFD_INTERVAL : protection.getBfdInterval().toJava());
    }
}
