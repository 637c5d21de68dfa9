package org.daqfabric.impl.controller;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.daqfabric.api.state.DropEpisode;
import org.daqfabric.api.state.RingDrops;
import org.daqfabric.impl.async.Causes;
import org.daqfabric.impl.async.Clocks;
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
    /** A switch tells drops some five seconds after them, where it stands still for a while later. */
    private static final Duration LATE = Duration.ofMinutes(1);
    /** By which clocks that are set by NTP may differ. */
    private static final Duration AHEAD = Duration.ofSeconds(1);

    private final FabricModel model;
    private final EventLoop loop;
    private final RunHooks runs;
    private final Clocks clocks;
    private DropHistory history = DropHistory.EMPTY;
    /** When drops of each host were last told: their own times are of the clock of a switch. */
    private final Map<String, Instant> told = new HashMap<>();

    /** Keeps none yet. */
    DropLog(FabricModel model, EventLoop loop, RunHooks runs, Clocks clocks) {
        this.model = model;
        this.loop = loop;
        this.runs = runs;
        this.clocks = clocks;
    }

    /** The newest first. */
    List<DropEpisode> newest() {
        return history.newest();
    }

    /** Whether it was told in the time before now that daqrings have dropped packets of a host. */
    boolean hasDropped(String host, Duration lately) {
        Instant last = told.get(host);
        return last != null && clocks.steady().instant().isBefore(last.plus(lately));
    }

    /**
     * A switch has reported episodes; they are kept and logged once run control has said in which runs they were.
     *
     * @param drops by port
     * @param isNow whether they have just been
     */
    void add(String switchName, SortedMap<String, RingDrops> drops, boolean isNow) {
        Instant now = clocks.wall().instant();
        Map<String, String> hosts = Daqrings.hostNames(model.configured());
        List<DropEpisode> found = drops.entrySet().stream()
            .flatMap(entry -> Daqrings.addressOf(entry.getKey()).map(hosts::get)
                .map(host -> begun(switchName, host, entry.getValue(), isNow, now)).stream()).toList();
        if (!found.isEmpty()) {
            loop.then(runs.withRuns(model.name(), found), (known, failure) -> {
                if (failure != null) {
                    LOG.warn("fabric {}: run control does not say in which runs daqrings dropped packets: {}",
                        model.name(), Causes.inWords(failure));
                }
                keep(failure == null ? known : found, isNow);
            });
        }
    }

    /**
     * An episode with its time: that which its switch tells if it can be, as it is known to the millisecond, and the
     * time at which it was told otherwise. Of one that was held back nothing else is known.
     */
    private DropEpisode begun(String switchName, String host, RingDrops drops, boolean isNow, Instant now) {
        DropEpisode episode = DropEpisode.begun(switchName, host, drops);
        Instant end = drops.begin().plus(drops.lasted());
        boolean canBe = !end.isAfter(now.plus(AHEAD)) && !(isNow && end.isBefore(now.minus(LATE)));
        return history.known(episode).map(before -> episode.at(before.began()))
            .orElseGet(() -> canBe ? episode : episode.at(now.minus(drops.lasted())));
    }

    private void keep(List<DropEpisode> episodes, boolean isNow) {
        List<DropEpisode> fresh = episodes.stream().filter(each -> history.known(each).isEmpty()).toList();
        if (!fresh.isEmpty()) {
            LOG.warn("fabric {}: {}; daqfabric:doctor tells what to change", model.name(),
                DropHistory.summary(fresh));
        }
        // a switch that connects again tells again what is known
        episodes.stream().filter(each -> !history.contains(each))
            .forEach(each -> told.put(each.dcm(), clocks.steady().instant()));
        history = history.with(episodes, isNow);
    }
}
