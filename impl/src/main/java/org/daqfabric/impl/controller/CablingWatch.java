package org.daqfabric.impl.controller;

import java.util.Map;
import java.util.Set;
import org.daqfabric.impl.controller.links.Cabling;
import org.daqfabric.impl.controller.links.LinkTracker;
import org.daqfabric.impl.controller.spi.RuleChannel;
import org.daqfabric.impl.engine.compile.DatapathIds;

/**
 * Selects the ports from which frames for cabling checks are sent. While switches must not be changed, no frames are
 * sent either. Belongs to the fabric's event loop.
 */
final class CablingWatch {
    private final FabricModel model;
    private final LinkTracker links;
    private final RuleChannel channel;
    /** The ports of each switch that send frames. */
    private Map<String, Set<Integer>> watched = Map.of();
    private boolean paused;

    CablingWatch(FabricModel model, LinkTracker links, RuleChannel channel) {
        this.model = model;
        this.links = links;
        this.channel = channel;
    }

    /** Watches the ports of all links of the configuration in force. */
    void update() {
        Map<String, Set<Integer>> ports = Cabling.ports(links.links(model.topology(), model.numbers()));
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
