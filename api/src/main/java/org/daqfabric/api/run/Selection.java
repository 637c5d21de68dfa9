package org.daqfabric.api.run;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/** Names of the ROS and DCMs that take part. */
public record Selection(SortedSet<String> ros, SortedSet<String> dcms) {
    public static final Selection NONE = new Selection(Collections.emptySortedSet(), Collections.emptySortedSet());

    public Selection {
        ros = Collections.unmodifiableSortedSet(new TreeSet<>(ros));
        dcms = Collections.unmodifiableSortedSet(new TreeSet<>(dcms));
    }

    public Selection and(Selection other) {
        SortedSet<String> allRos = new TreeSet<>(ros);
        allRos.addAll(other.ros);
        SortedSet<String> allDcms = new TreeSet<>(dcms);
        allDcms.addAll(other.dcms);
        return new Selection(allRos, allDcms);
    }

    public Selection without(Selection other) {
        SortedSet<String> leftRos = new TreeSet<>(ros);
        leftRos.removeAll(other.ros);
        SortedSet<String> leftDcms = new TreeSet<>(dcms);
        leftDcms.removeAll(other.dcms);
        return new Selection(leftRos, leftDcms);
    }
}
