package org.daqfabric.impl.metrics;

import java.util.Map;
import java.util.stream.Collectors;
import org.daqfabric.api.state.DropEpisode;
import org.daqfabric.api.state.FabricState;

/**
 * Samples of the episodes in which daqrings dropped packets, by run. There are as many runs as the fabric keeps
 * episodes, at most.
 */
final class DropSamples {
    private record Sums(long episodes, long dropped, double newest) {
        Sums(DropEpisode episode) {
            this(1, episode.drops().dropped(), episode.began().toEpochMilli() / 1000.0);
        }

        Sums and(Sums other) {
            return new Sums(episodes + other.episodes, dropped + other.dropped, Math.max(newest, other.newest));
        }
    }

    private DropSamples() {
    }

    static void collect(FabricState state, Samples samples) {
        Map<DropEpisode.Run, Sums> byRun = state.drops().stream().filter(each -> each.run().isPresent())
            .collect(Collectors.toMap(each -> each.run().get(), Sums::new, Sums::and));
        byRun.forEach((run, sums) -> {
            String[] labels = { state.fabric(), run.partition(), LabelText.of(run.number()) };
            samples.add(Family.RUN_DROP_EPISODES, sums.episodes(), labels);
            samples.add(Family.RUN_DROPPED, sums.dropped(), labels);
            samples.add(Family.RUN_DROP_TIME, sums.newest(), labels);
        });
    }
}
