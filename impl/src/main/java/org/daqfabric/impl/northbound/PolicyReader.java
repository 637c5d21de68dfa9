package org.daqfabric.impl.northbound;

import static org.daqfabric.impl.northbound.Defaults.or;

import java.util.function.IntSupplier;
import org.daqfabric.api.spec.Policy.Daqring;
import org.daqfabric.api.spec.Policy.Placement;
import org.daqfabric.api.spec.Policy.Protection;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabric.configuration.Policy;
import org.opendaylight.yang.gen.v1.urn.daqfabric.rev261120.fabric.configuration.PolicyBuilder;
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
     * @param ringSize of daqrings where the policy does not say
     */
    static org.daqfabric.api.spec.Policy read(Policy given, IntSupplier ringSize) {
        Policy policy = or(given, new PolicyBuilder().build());
        return new org.daqfabric.api.spec.Policy(placement(policy), daqring(policy, ringSize), protection(policy),
            Enums.rules(policy.getRules()));
    }

    private static Placement placement(Policy policy) {
        var placement = or(policy.getPlacement(), new PlacementBuilder().build());
        return new Placement(Enums.algorithm(placement.getAlgorithm()), Enums.onReturn(placement.getReturn()));
    }

    private static Daqring daqring(Policy policy, IntSupplier ringSize) {
        var daqring = or(policy.getDaqring(), new DaqringBuilder().build());
        return new Daqring(Enums.ringsOn(daqring.getOn()), Enums.backend(daqring.getBackend()),
            daqring.getRingSize() == null ? ringSize.getAsInt() : daqring.getRingSize().intValue(),
            daqring.getMaxBurst() == null ? Defaults.MAX_BURST : daqring.getMaxBurst().intValue(),
            daqring.getPollingInterval() == null ? Defaults.POLLING_INTERVAL : daqring.getPollingInterval().intValue());
    }

    private static Protection protection(Policy policy) {
        var protection = or(policy.getProtection(), new ProtectionBuilder().build());
        return new Protection(or(protection.getFastFailover(), Defaults.FAST_FAILOVER),
            or(protection.getBfd(), Defaults.BFD),
            protection.getBfdInterval() == null ? Defaults.BFD_INTERVAL : protection.getBfdInterval().toJava());
    }
}
