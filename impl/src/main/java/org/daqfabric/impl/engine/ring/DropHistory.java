package org.daqfabric.impl.engine.ring;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.daqfabric.api.state.DropEpisode;

/**
 * The newest episodes in which daqrings of a fabric dropped packets.
 *
 * @param newest newest first, at most {@link #MOST}
 */
public record DropHistory(List<DropEpisode> newest) {
    /** What a fabric in trouble needs most; all of them are counted in the statistics of the daqrings. */
    public static final int MOST = 50;
    public static final DropHistory EMPTY = new DropHistory(List.of());

    private static final int SHOWN = 3;
    private static final Comparator<DropEpisode> ORDER =
        Comparator.comparing((DropEpisode each) -> each.drops().begin()).reversed()
            .thenComparing(DropEpisode::switchName).thenComparing(DropEpisode::dcm);

    public DropHistory {
        newest = List.copyOf(newest);
    }

    /** Episodes in words, the first few in full. */
    public static String summary(List<DropEpisode> episodes) {
        return "daqrings dropped packets: "
            + episodes.stream().limit(SHOWN).map(DropEpisode::inWords).collect(Collectors.joining("; "))
            + (episodes.size() > SHOWN ? "; and " + (episodes.size() - SHOWN) + " more" : "");
    }

    /** Whether an episode, or an earlier record of it, is there; also true if it would be too old to be kept. */
    public boolean contains(DropEpisode episode) {
        return newest.stream().anyMatch(episode::isSame)
            || newest.size() == MOST && ORDER.compare(newest.getLast(), episode) < 0;
    }

    /** With further episodes, each in place of an earlier record of it. */
    public DropHistory with(List<DropEpisode> episodes) {
        Stream<DropEpisode> others = newest.stream().filter(old -> episodes.stream().noneMatch(old::isSame));
        return new DropHistory(Stream.concat(episodes.stream(), others).sorted(ORDER).limit(MOST).toList());
    }
}
