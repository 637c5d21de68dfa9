package org.daqfabric.impl.controller;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
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
    private final InstantSource clock;
    private DropHistory history = DropHistory.EMPTY;
    /** When drops of each host were last told: their own times are of the clock of a switch. */
    private final Map<String, Instant> told = new HashMap<>();

    /**
     * Keeps none yet.
     *
     * @param clock one that nobody sets
     */
    DropLog(FabricModel model, EventLoop loop, RunHooks runs, InstantSource clock) {
        this.model = model;
        this.loop = loop;
        this.runs = runs;
        this.clock = clock;
    }

    /** The newest first. */
    List<DropEpisode> newest() {
        return history.newest();
    }

    /** Whether it was told in the time before now that daqrings have dropped packets of a host. */
    boolean hasDropped(String host, Duration lately) {
        Instant last = told.get(host);
        return last != null && clock.instant().isBefore(last.plus(lately));
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
        DropHistory next = history.with(episodes);
        // a switch that connects again tells again what is known
        episodes.stream().filter(each -> next.newest().contains(each) && !history.newest().contains(each))
            .forEach(each -> told.put(each.dcm(), clock.instant()));
        history = next;
    }
}
