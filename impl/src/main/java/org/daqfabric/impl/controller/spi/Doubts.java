package org.daqfabric.impl.controller.spi;

import java.util.Collections;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.loss.LinkRates;

/**
 * What a controller has seen of a fabric, and the next one could not see at once.
 *
 * @param switches those that may hold no rules
 * @param lossy links that are held back because they lose packets, by their ends
 */
public record Doubts(Set<String> switches, SortedMap<PortId, LinkRates> lossy) {
    public static final Doubts NONE = new Doubts(Set.of(), Collections.emptySortedMap());

    public Doubts {
        switches = Set.copyOf(switches);
        lossy = Collections.unmodifiableSortedMap(new TreeMap<>(lossy));
    }
}
