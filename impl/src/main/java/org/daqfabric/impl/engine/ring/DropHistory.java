package org.daqfabric.impl.engine.ring;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.daqfabric.api.state.DropEpisode;

/**
 * The newest episodes in which daqrings of a fabric dropped packets.
 *
 * @param newest newest first, at most {@link #MOST}; their order is that in which they were told
 * @param last what each daqring has told last, also if it is not among the newest any more
 */
public record DropHistory(List<DropEpisode> newest, Map<Ring, DropEpisode> last) {
    /** What a fabric in trouble needs most; all of them are counted in the statistics of the daqrings. */
    public static final int MOST = 50;
    public static final DropHistory EMPTY = new DropHistory(List.of(), Map.of());

    private static final int SHOWN = 3;
    private static final Comparator<DropEpisode> ORDER = Comparator.comparing(DropEpisode::began).reversed()
        .thenComparing(DropEpisode::switchName).thenComparing(DropEpisode::dcm);

    public DropHistory {
        newest = List.copyOf(newest);
        last = Map.copyOf(last);
    }

    /** A daqring, by its switch and the host whose packets it takes. */
    public record Ring(String switchName, String host) {
        private static Ring of(DropEpisode episode) {
            return new Ring(episode.switchName(), episode.dcm());
        }
    }

    /** Episodes in words, the first few in full. */
    public static String summary(List<DropEpisode> episodes) {
        return "daqrings dropped packets: "
            + episodes.stream().limit(SHOWN).map(DropEpisode::inWords).collect(Collectors.joining("; "))
            + (episodes.size() > SHOWN ? "; and " + (episodes.size() - SHOWN) + " more" : "");
    }

    /** The record that is known of an episode, which may be an earlier one. */
    public Optional<DropEpisode> known(DropEpisode episode) {
        return Optional.ofNullable(last.get(Ring.of(episode))).filter(episode::isSame);
    }

    /** Whether nothing else is known of an episode. */
    public boolean contains(DropEpisode episode) {
        return known(episode).filter(before -> before.drops().equals(episode.drops())).isPresent();
    }

    /**
     * With further episodes of a switch, each in place of an earlier record of it.
     *
     * @param isNow whether they have just been: the clock of a switch may say anything
     */
    public DropHistory with(List<DropEpisode> episodes, boolean isNow) {
        List<DropEpisode> told = episodes.stream().filter(each -> !contains(each)).sorted(ORDER).toList();
        List<DropEpisode> all = new ArrayList<>(newest);
        all.removeIf(old -> told.stream().anyMatch(old::isSame));
        int place = 0;
        for (DropEpisode each : told) {
            while (!isNow && place < all.size() && ORDER.compare(all.get(place), each) < 0) {
                place++;
            }
            all.add(place++, each);
        }
        Map<Ring, DropEpisode> next = new HashMap<>(last);
        told.forEach(each -> next.put(Ring.of(each), each));
        return new DropHistory(all.stream().limit(MOST).toList(), next);
    }
}
