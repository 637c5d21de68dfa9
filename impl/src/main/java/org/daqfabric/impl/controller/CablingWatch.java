package org.daqfabric.impl.controller;

import java.util.Map;
import java.util.Set;
import org.daqfabric.impl.controller.links.Cabling;
import org.daqfabric.impl.controller.links.LinkTracker;
import org.daqfabric.impl.controller.spi.RuleChannel;
import org.daqfabric.impl.engine.compile.DatapathIds;

/**
 * Tells the switches' sessions out of which ports to send frames for cabling checks. Sending frames is sending too: while
 * switches must not be changed there are none. Belongs to the fabric's event loop.
 */
final class CablingWatch {
    private final FabricModel model;
    private final LinkTracker links;
    private final RuleChannel channel;
    /** The ports of each switch whose peers are being looked for. */
    private Map<String, Set<Integer>> watched = Map.of();
    private boolean paused;

    CablingWatch(FabricModel model, LinkTracker links, RuleChannel channel) {
        this.model = model;
        this.links = links;
        this.channel = channel;
    }

    /** Watches the ports of all links of the configuration in force. */
    void update() {
        Map<String, Set<Integer>> ports = Cabling.ports(links.cables(model.topology(), model.numbers()));
        if (!paused && !ports.equals(watched)) {
            watched = ports;
            model.switches().keySet().forEach(name -> watch(name, ports.getOrDefault(name, Set.of())));
        }
    }

    void pause() {
        paused = true;
        stop();
    }

    void resume() {
        paused = false;
        if (model.hasTopology()) {
            update();
        }
    }

    void stop() {
        watched = Map.of();
        model.switches().keySet().forEach(name -> watch(name, Set.of()));
    }

    private void watch(String switchName, Set<Integer> ports) {
        channel.watchCabling(DatapathIds.of(model.name(), switchName), ports);
    }
}
