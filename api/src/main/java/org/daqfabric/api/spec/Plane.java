package org.daqfabric.api.spec;

import java.util.Comparator;
import java.util.List;

/**
 * One independent leaf-spine network (thesis 6.2.1).
 *
 * @param id from 1
 * @param spines ordered by id
 * @param leaves ordered by pod
 */
public record Plane(int id, List<Spine> spines, List<Leaf> leaves) {
    public Plane {
        spines = spines.stream().sorted(Comparator.comparingInt(Spine::id)).toList();
        leaves = leaves.stream().sorted(Comparator.comparingInt(Leaf::pod)).toList();
    }
}
