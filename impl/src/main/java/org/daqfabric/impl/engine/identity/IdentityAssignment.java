package org.daqfabric.impl.engine.identity;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.placement.Identities;
import org.daqfabric.api.placement.SwitchIdentity;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Plane;
import org.daqfabric.api.spec.Pod;
import org.daqfabric.api.spec.Switch;
import org.eclipse.jdt.annotation.Nullable;

/**
 * Gives every switch of a configuration its identity. A bridge that had a datapath-id keeps it, whatever its switch is
 * called now. A new bridge gets one that follows from its fabric, node and name, but none that any bridge had before: a
 * bridge that is being removed may still be connected under it. Marks are kept likewise; a new one is the id
 * of the spine or pod, unless another spine or leaf of the plane has it.
 */
public final class IdentityAssignment {
    private static final Place OUTSIDE = new Place(0, 0, 0);

    private final Map<String, Map<String, SwitchIdentity>> before = new HashMap<>();
    private final Set<Long> datapathIds = new HashSet<>();
    private final Map<String, Place> places = new HashMap<>();
    /** The marks given so far, of spines and of leaves, by plane. */
    private final Map<Integer, Set<Integer>> spineMarks = new HashMap<>();
    private final Map<Integer, Set<Integer>> leafMarks = new HashMap<>();
    private final FabricSpec spec;

    /** Ids of plane, spine and pod; 0 for none. */
    private record Place(int plane, int spine, int pod) {
    }

    private IdentityAssignment(FabricSpec spec, Identities before) {
        this.spec = spec;
        before.switches().values().forEach(identity -> {
            this.before.computeIfAbsent(identity.systemId(), id -> new HashMap<>()).put(identity.bridge(), identity);
            datapathIds.add(identity.datapathId());
        });
        for (Plane plane : spec.planes()) {
            plane.spines().forEach(each -> places.put(each.switchName(), new Place(plane.id(), each.id(), 0)));
            plane.leaves().forEach(each -> places.put(each.switchName(), new Place(plane.id(), 0, each.pod())));
        }
        for (Pod pod : spec.pods()) {
            pod.hosts().forEach(each -> places.put(each.switchName(), new Place(0, 0, pod.id())));
            pod.ros().forEach(each -> places.put(each.switchName(), new Place(0, 0, pod.id())));
            pod.racks().forEach(each -> places.put(each.switchName(), new Place(0, 0, pod.id())));
        }
    }

    /**
     * The identities under a configuration.
     *
     * @param before the identities so far
     */
    public static Identities of(FabricSpec spec, Identities before) {
        return new IdentityAssignment(spec, before).assign();
    }

    /** The identities of bridges that were made by a version that stored none: their ids follow from their names. */
    public static Identities byName(FabricSpec spec) {
        SortedMap<String, SwitchIdentity> all = new TreeMap<>();
        of(spec, Identities.NONE).switches().forEach((name, each) -> all.put(name, new SwitchIdentity(each.systemId(),
            each.bridge(), DatapathIds.ofName(spec.name(), name), each.plane(), each.spine(), each.pod(),
            each.mark())));
        return new Identities(all);
    }

    private Identities assign() {
        SortedMap<String, Integer> marks = new TreeMap<>();
        // those that keep their mark come first
        for (Switch each : spec.switches()) {
            SwitchIdentity known = known(each);
            Place place = place(each);
            if (known != null && known.mark() != 0 && (known.spine() == 0) == (place.spine == 0)
                    && taken(place).add(known.mark())) {
                marks.put(each.name(), known.mark());
            }
        }
        SortedMap<String, SwitchIdentity> all = new TreeMap<>();
        for (Switch each : spec.switches()) {
            SwitchIdentity known = known(each);
            Place place = place(each);
            long datapathId = known != null ? known.datapathId() : freeDatapathId(each);
            int mark = place.plane == 0 ? 0 : marks.computeIfAbsent(each.name(), name -> freeMark(place));
            all.put(each.name(), new SwitchIdentity(each.systemId(), each.bridge(), datapathId, place.plane,
                place.spine, place.pod, mark));
        }
        return new Identities(all);
    }

    private @Nullable SwitchIdentity known(Switch description) {
        return before.getOrDefault(description.systemId(), Map.of()).get(description.bridge());
    }

    private Place place(Switch description) {
        return places.getOrDefault(description.name(), OUTSIDE);
    }

    private Set<Integer> taken(Place place) {
        return (place.spine != 0 ? spineMarks : leafMarks).computeIfAbsent(place.plane, plane -> new HashSet<>());
    }

    private int freeMark(Place place) {
        Set<Integer> taken = taken(place);
        int mark = place.spine != 0 ? place.spine : place.pod;
        for (int next = 1; !taken.add(mark); next++) {
            mark = next;
        }
        return mark;
    }

    private long freeDatapathId(Switch description) {
        long datapathId = DatapathIds.of(spec.name(), description.systemId(), description.bridge());
        for (int attempt = 1; !datapathIds.add(datapathId); attempt++) {
            datapathId = DatapathIds.of(spec.name(), description.systemId(), description.bridge() + '\0' + attempt);
        }
        return datapathId;
    }
}
