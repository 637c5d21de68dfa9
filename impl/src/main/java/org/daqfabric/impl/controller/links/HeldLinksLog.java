package org.daqfabric.impl.controller.links;

import java.time.InstantSource;
import java.util.Set;
import java.util.TreeSet;
import org.daqfabric.api.spec.PortId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs which links are held back, and which are used though they would have to wait. */
final class HeldLinksLog {
    private static final Logger LOG = LoggerFactory.getLogger(HeldLinksLog.class);

    private final String fabric;
    private final LogPace usedPace;
    private final LogPace waitingPace;

    HeldLinksLog(String fabric, InstantSource clock) {
        this.fabric = fabric;
        usedPace = new LogPace(clock);
        waitingPace = new LogPace(clock);
    }

    void changed(HeldLinks before, HeldLinks now) {
        Set<PortId> used = new TreeSet<>(now.usedAtOnce());
        used.removeAll(before.usedAtOnce());
        used.removeIf(link -> !usedPace.allows(link));
        if (!used.isEmpty()) {
            LOG.warn("fabric {}: {} used at once, as nothing else leads to some switches", fabric, used);
        }
        Set<PortId> waiting = now.all();
        waiting.removeAll(before.all());
        waiting.removeIf(link -> !waitingPace.allows(link));
        if (!waiting.isEmpty()) {
            LOG.info("fabric {}: up, but not used yet: {}", fabric, waiting);
        }
    }
}
