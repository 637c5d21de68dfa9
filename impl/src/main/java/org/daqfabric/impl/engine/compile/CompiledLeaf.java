package org.daqfabric.impl.engine.compile;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import org.daqfabric.api.program.Action;
import org.daqfabric.api.program.Group;
import org.daqfabric.api.program.Program;

/**
 * A leaf's program and what it was made from. The next is made of it: a failure changes none of its rules, a decision
 * those of the addresses whose spines in the plane change.
 *
 * @param choices numbers of the spines chosen in its plane, by the position of the address
 * @param toPods what it does with packets, by the position of the pod and the number of the choice
 * @param contents of its groups, by what they are for
 * @param seen whether nothing is up or down now that its groups do not know of
 */
record CompiledLeaf(int[] choices, Set<String> present, SortedMap<String, Integer> numbers, Action[][] toPods,
        Map<GroupKey, List<Group.Bucket>> contents, Program program, boolean seen) {
    CompiledLeaf unseen() {
        return new CompiledLeaf(choices, present, numbers, toPods, contents, program, false);
    }

    /** What packets to an address of another pod met. */
    Action toPod(RuleInterner.Host host) {
        return toPods[host.podAt()][choices[host.index()]];
    }
}
