package org.daqfabric.impl.engine.proof;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;
import org.daqfabric.impl.engine.topology.LinkDirection;

/**
 * What carries no packets of a fabric, though it may seem to.
 *
 * @param directions of links; the switches at both ends are connected
 * @param mute leaves and spines that are not connected and let no packets pass: they may hold no rules
 */
public record SilentParts(SortedSet<LinkDirection> directions, SortedSet<String> mute) {
    public static final SilentParts NONE = new SilentParts(Collections.emptySortedSet(),
        Collections.emptySortedSet());

    public SilentParts {
        directions = Collections.unmodifiableSortedSet(new TreeSet<>(directions));
        mute = Collections.unmodifiableSortedSet(new TreeSet<>(mute));
    }
}
