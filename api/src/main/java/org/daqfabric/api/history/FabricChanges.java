package org.daqfabric.api.history;

import java.util.List;

/**
 * What differs between two configurations of a fabric.
 *
 * @param summary the differences in few words
 * @param differences parts of the same kind together, by name; empty if there are none
 */
public record FabricChanges(String summary, List<Difference> differences) {
    public FabricChanges {
        differences = List.copyOf(differences);
    }
}
