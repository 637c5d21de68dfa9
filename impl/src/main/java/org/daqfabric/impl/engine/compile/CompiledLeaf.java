package org.daqfabric.impl.engine.compile;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import org.daqfabric.api.program.Action;
import org.daqfabric.api.program.Group;
import org.daqfabric.api.program.Program;

/**
 * A leaf's program and what it was compiled from. The next program starts from it: a failure changes none of its rules,
 * a decision only those for addresses whose spine choice in the leaf's plane changes.
 *
 * @param spineChoices by the index of the address, the interned number of its spine choice in the leaf's plane
 * @param podActions by the index of the destination's pod and the number of the spine choice
 * @param buckets of its groups, by key
 * @param groupsCurrent whether the buckets still fit the links; false once a link that they depend on failed or
 *     returned
 */
record CompiledLeaf(int[] spineChoices, Set<String> present, SortedMap<String, Integer> portNumbers,
        Action[][] podActions, Map<GroupKey, List<Group.Bucket>> buckets, Program program, boolean groupsCurrent) {
    CompiledLeaf withStaleGroups() {
        return new CompiledLeaf(spineChoices, present, portNumbers, podActions, buckets, program, false);
    }

    /** The action for packets to an address in another pod. */
    Action toPod(RuleInterner.Host host) {
        return podActions[host.podIndex()][spineChoices[host.index()]];
    }
}
