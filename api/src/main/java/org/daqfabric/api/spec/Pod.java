package org.daqfabric.api.spec;

import java.util.Comparator;
import java.util.List;

/**
 * The ROS, HLT racks and other hosts behind the same leaves.
 *
 * @param id from 1
 * @param ros ordered by name
 * @param racks ordered by name
 * @param hosts ordered by name
 */
public record Pod(int id, List<Ros> ros, List<HltRack> racks, List<Host> hosts) {
    public Pod {
        ros = ros.stream().sorted(Comparator.comparing(Ros::name)).toList();
        racks = racks.stream().sorted(Comparator.comparing(HltRack::name)).toList();
        hosts = hosts.stream().sorted(Comparator.comparing(Host::name)).toList();
    }

    /** Without other hosts. */
    public Pod(int id, List<Ros> ros, List<HltRack> racks) {
        this(id, ros, racks, List.of());
    }
}
