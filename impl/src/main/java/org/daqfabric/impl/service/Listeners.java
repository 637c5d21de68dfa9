package org.daqfabric.impl.service;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Listener;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Protocol;

/** The addresses on which switches connect. */
public final class Listeners {
    private final List<ListenAddress> configured;
    private final Supplier<Set<InetSocketAddress>> open;

    /** An address on which the controller is configured to listen. */
    public record ListenAddress(Protocol protocol, boolean tls, InetSocketAddress address) {
    }

    /**
     * Knows the addresses.
     *
     * @param open where the controller does listen at the moment of asking
     */
    public Listeners(List<ListenAddress> configured, Supplier<Set<InetSocketAddress>> open) {
        this.configured = List.copyOf(configured);
        this.open = open;
    }

    /** How they are at this moment. */
    public List<Listener> now() {
        Set<InetSocketAddress> now = open.get();
        return configured.stream().map(each -> new Listener(each.protocol, each.tls,
            each.address.getAddress().getHostAddress(), each.address.getAddress().isLoopbackAddress(),
            each.address.getPort(), now.contains(each.address))).toList();
    }
}
