package org.daqfabric.impl.controller;

import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.daqfabric.api.state.PortBit;
import org.daqfabric.api.state.RingDrops;
import org.daqfabric.impl.controller.links.Cabling;
import org.daqfabric.impl.controller.links.SwitchView;
import org.daqfabric.impl.controller.rollout.Rollout;
import org.daqfabric.impl.controller.rollout.SwitchDriver;
import org.daqfabric.impl.controller.spi.BridgeListener;

/** Makes an event of a fabric's loop of each report of one of its switches. Called from any thread; returns at once. */
final class SwitchReports {
    private final FabricModel model;
    private final Rollout rollout;
    private final Cabling cabling;
    private final DropLog drops;
    private final RuleWatch rules;
    private final BiConsumer<String, Runnable> post;

    SwitchReports(FabricModel model, Rollout rollout, Cabling cabling, DropLog drops, RuleWatch rules,
            BiConsumer<String, Runnable> post) {
        this.model = model;
        this.rollout = rollout;
        this.cabling = cabling;
        this.drops = drops;
        this.rules = rules;
        this.post = post;
    }

    void nodeConnected(String switchName, boolean supportsRings) {
        change(switchName, "OVSDB connected", view -> view.ovsdbUp(supportsRings));
    }

    void nodeDisconnected(String switchName) {
        change(switchName, "OVSDB disconnected", SwitchView::ovsdbDown);
    }

    void bridge(String switchName, Map<String, BridgeListener.PortStatus> ports, String error) {
        change(switchName, "ports", view -> view.bridge(ports, error));
    }

    void ringsDropped(String switchName, SortedMap<String, RingDrops> found, boolean isNow) {
        post.accept(switchName + ": daqrings dropped packets", () -> drops.add(switchName, found, isNow));
    }

    void switchConnected(String switchName) {
        post.accept(switchName + ": OpenFlow connected", () -> {
            model.update(switchName, SwitchView::openflowUp);
            SwitchDriver driver = rollout.drivers().get(switchName);
            if (driver != null) {
                driver.connected();
            }
        });
    }

    void switchDisconnected(String switchName) {
        post.accept(switchName + ": OpenFlow disconnected", () -> {
            model.update(switchName, SwitchView::openflowDown);
            SwitchDriver driver = rollout.drivers().get(switchName);
            if (driver != null) {
                driver.disconnected();
            }
        });
    }

    void rulesChanged(String switchName) {
        post.accept(switchName + ": rules changed by others", () -> rules.changed(switchName));
    }

    void portChanged(String switchName, int number, boolean up, Set<PortBit> bits) {
        post.accept(switchName + ": port " + number, () -> {
            model.update(switchName, view -> view.port(number, up, bits));
            if (!up) {
                cabling.forget(switchName, number);
            }
        });
    }

    /**
     * A cabling check found a port at the other end of a port.
     *
     * @param peer the peer's switch; its datapath-id or fabric and name if it is not in this fabric
     */
    void peerSeen(String switchName, int number, String peer, int peerNumber) {
        if (!cabling.isKnown(switchName, number, peer, peerNumber)) {
            post.accept(switchName + ": peer of port " + number,
                () -> cabling.found(switchName, number, peer, peerNumber));
        }
    }

    private void change(String switchName, String what, UnaryOperator<SwitchView> change) {
        post.accept(switchName + ": " + what, () -> model.update(switchName, change));
    }
}
