package org.daqfabric.impl.controller;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.PendingRemoval;
import org.daqfabric.impl.controller.spi.FabricPorts;
import org.daqfabric.impl.controller.spi.PortReading;
import org.daqfabric.impl.controller.spi.StatePublisher;

/** Keeps the newest state of every fabric, readable from any thread, and passes every call on to other publishers. */
public final class LatestStates implements StatePublisher {
    private final ConcurrentNavigableMap<String, FabricState> newest = new ConcurrentSkipListMap<>();
    private final List<StatePublisher> others;
    private volatile List<PendingRemoval> pending = List.of();

    /** Starts empty; passes calls on to the others in this order. */
    public LatestStates(StatePublisher... others) {
        this.others = List.of(others);
    }

    @Override
    public void publish(FabricState state) {
        newest.put(state.fabric(), state);
        others.forEach(other -> other.publish(state));
    }

    @Override
    public void ports(FabricPorts ports) {
        others.forEach(other -> other.ports(ports));
    }

    @Override
    public void read(String fabric, String switchName, Instant when, SortedMap<String, PortReading> ports) {
        others.forEach(other -> other.read(fabric, switchName, when, ports));
    }

    @Override
    public void withdraw(String fabric) {
        newest.remove(fabric);
        others.forEach(other -> other.withdraw(fabric));
    }

    @Override
    public void forget(String fabric) {
        newest.remove(fabric);
        others.forEach(other -> other.forget(fabric));
    }

    @Override
    public void pending(List<PendingRemoval> removals) {
        pending = List.copyOf(removals);
        others.forEach(other -> other.pending(removals));
    }

    /** The bridges that fabrics have left and that are still to be removed, by node. */
    public List<PendingRemoval> pending() {
        return pending;
    }

    /** The newest state of a fabric; empty if none has been published. */
    public Optional<FabricState> of(String fabric) {
        return Optional.ofNullable(newest.get(fabric));
    }

    /** The newest states, ordered by fabric. */
    public List<FabricState> all() {
        return List.copyOf(newest.values());
    }
}
