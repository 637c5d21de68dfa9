package org.daqfabric.impl.controller;

import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.impl.controller.links.Cabling;
import org.daqfabric.impl.controller.links.LinkTracker;
import org.daqfabric.impl.controller.spi.RuleChannel;

/**
 * Selects the ports from which frames for cabling checks are sent. While switches must not be changed, no frames are
 * sent either. Belongs to the fabric's event loop.
 */
final class CablingWatch {
    private final FabricModel model;
    private final LinkTracker links;
    private final RuleChannel channel;
    /** The ports of each switch that send frames, by datapath-id. */
    private Map<Long, Set<Integer>> watched = Map.of();
    private boolean paused;

    CablingWatch(FabricModel model, LinkTracker links, RuleChannel channel) {
        this.model = model;
        this.links = links;
        this.channel = channel;
    }

    /** Watches the ports of all links of the configuration in force. */
    void update() {
        Map<String, Set<Integer>> ports = Cabling.ports(links.links(model.topology(), model.numbers()));
        SortedMap<Long, Set<Integer>> now = new TreeMap<>();
        model.topology().identities().switches().forEach((name, identity) ->
            now.put(identity.datapathId(), ports.getOrDefault(name, Set.of())));
        if (!paused && !now.equals(watched)) {
            watched.keySet().stream().filter(gone -> !now.containsKey(gone)).forEach(this::unwatch);
            now.forEach(channel::watchCabling);
            watched = now;
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
        watched.keySet().forEach(this::unwatch);
        watched = Map.of();
    }

    private void unwatch(long datapathId) {
        channel.watchCabling(datapathId, Set.of());
    }
}
