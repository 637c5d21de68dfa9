package org.daqfabric.api.spec;

import java.util.Comparator;
import java.util.List;

/**
 * The ROS and HLT racks behind the same leaves.
 *
 * @param id from 1
 * @param ros ordered by name
 * @param racks ordered by name
 */
public record Pod(int id, List<Ros> ros, List<HltRack> racks) {
    public Pod {
        ros = ros.stream().sorted(Comparator.comparing(Ros::name)).toList();
        racks = racks.stream().sorted(Comparator.comparing(HltRack::name)).toList();
    }
}
