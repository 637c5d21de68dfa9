package org.daqfabric.impl.controller;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.daqfabric.api.state.DropEpisode;
import org.daqfabric.api.state.RingDrops;
import org.daqfabric.impl.async.Causes;
import org.daqfabric.impl.async.EventLoop;
import org.daqfabric.impl.controller.spi.RunHooks;
import org.daqfabric.impl.engine.compile.Daqrings;
import org.daqfabric.impl.engine.ring.DropHistory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the newest episodes in which daqrings of a fabric dropped packets, each with its run. Belongs to the fabric's
 * event loop.
 */
final class DropLog {
    private static final Logger LOG = LoggerFactory.getLogger(DropLog.class);

    private final FabricModel model;
    private final EventLoop loop;
    private final RunHooks runs;
    private DropHistory history = DropHistory.EMPTY;

    DropLog(FabricModel model, EventLoop loop, RunHooks runs) {
        this.model = model;
        this.loop = loop;
        this.runs = runs;
    }

    /** The newest first. */
    List<DropEpisode> newest() {
        return history.newest();
    }

    /**
     * A switch has reported episodes; they are kept and logged once run control has said in which runs they were.
     *
     * @param drops by port
     */
    void add(String switchName, SortedMap<String, RingDrops> drops) {
        Map<String, String> hosts = Daqrings.hostNames(model.configured());
        List<DropEpisode> found = drops.entrySet().stream()
            .flatMap(entry -> Daqrings.addressOf(entry.getKey()).map(hosts::get)
                .map(host -> DropEpisode.begun(switchName, host, entry.getValue())).stream()).toList();
        if (!found.isEmpty()) {
            loop.then(runs.withRuns(model.name(), found), (known, failure) -> {
                if (failure != null) {
                    LOG.warn("fabric {}: run control does not say in which runs daqrings dropped packets: {}",
                        model.name(), Causes.inWords(failure));
                }
                keep(failure == null ? known : found);
            });
        }
    }

    private void keep(List<DropEpisode> episodes) {
        List<DropEpisode> fresh = episodes.stream().filter(each -> !history.contains(each)).toList();
        if (!fresh.isEmpty()) {
            LOG.warn("fabric {}: {}; daqfabric:doctor tells what to change", model.name(),
                DropHistory.summary(fresh));
        }
        history = history.with(episodes);
    }
}
