package org.daqfabric.impl.engine.planning;

import java.util.List;

/**
 * ROS or HLT racks with the same number of links into the network.
 *
 * @param nodes how many there are, from 1
 * @param uplinks n_R,i or n_H,j of each
 */
public record NodeGroup(int nodes, int uplinks) {
    static long nodes(List<NodeGroup> groups) {
        return groups.stream().mapToLong(NodeGroup::nodes).sum();
    }

    static long uplinks(List<NodeGroup> groups) {
        return groups.stream().mapToLong(group -> (long) group.nodes * group.uplinks).sum();
    }

    static int fewestUplinks(List<NodeGroup> groups) {
        return groups.stream().mapToInt(NodeGroup::uplinks).min().orElse(0);
    }
}
