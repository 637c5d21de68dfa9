package org.daqfabric.impl.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Plane;
import org.daqfabric.api.spec.Pod;
import org.daqfabric.api.spec.Spine;
import org.daqfabric.api.spec.Switch;

/** Random edits of labels. Each can be applied to every configuration with the same switches, pods and planes. */
public final class RandomLabels {
    /** What is added to ids that were not there when the edit was made, so that they stay apart from all others. */
    private static final int LATER = 5;

    private RandomLabels() {
    }

    /** One to three kinds of labels change at once. */
    public static UnaryOperator<FabricSpec> of(FabricSpec spec, Random random) {
        UnaryOperator<FabricSpec> all = UnaryOperator.identity();
        for (int count = 1 + random.nextInt(3); count > 0; count--) {
            UnaryOperator<FabricSpec> before = all;
            UnaryOperator<FabricSpec> next = one(before.apply(spec), random);
            all = each -> next.apply(before.apply(each));
        }
        return all;
    }

    private static UnaryOperator<FabricSpec> one(FabricSpec spec, Random random) {
        switch (random.nextInt(6)) {
            case 0 -> {
                Map<Integer, Integer> ids = otherIds(spec.planes().stream().map(Plane::id).toList(), random);
                return each -> FabricEdits.renumberPlanes(each, id -> ids.getOrDefault(id, id + LATER));
            }
            case 1 -> {
                Map<Integer, Integer> ids = otherIds(spec.pods().stream().map(Pod::id).toList(), random);
                return each -> FabricEdits.renumberPods(each, id -> ids.getOrDefault(id, id + LATER));
            }
            case 2 -> {
                Map<Integer, Integer> ids = otherIds(spec.planes().stream().flatMap(plane -> plane.spines().stream())
                    .map(Spine::id).toList(), random);
                return each -> FabricEdits.renumberSpines(each, id -> ids.getOrDefault(id, id + LATER));
            }
            case 3 -> {
                Map<String, String> names = otherNames(hosts(spec), "h", random);
                return each -> FabricEdits.renameHosts(each, name -> names.getOrDefault(name, name));
            }
            default -> {
                Map<String, String> names = otherNames(spec.switches().stream().map(Switch::name).toList(), "s",
                    random);
                return each -> FabricEdits.rename(each, names);
            }
        }
    }

    private static List<String> hosts(FabricSpec spec) {
        return spec.pods().stream().flatMap(pod -> Stream.concat(pod.ros().stream().map(ros -> ros.name()),
            pod.racks().stream().flatMap(rack -> Stream.concat(Stream.of(rack.name()),
                rack.dcms().stream().map(dcm -> dcm.name()))))).toList();
    }

    /** The same ids in another order, or others. */
    private static Map<Integer, Integer> otherIds(Collection<Integer> ids, Random random) {
        List<Integer> before = List.copyOf(new TreeSet<>(ids));
        List<Integer> after = new ArrayList<>(before);
        int shift = random.nextInt(3);
        after.replaceAll(id -> id + shift);
        Collections.shuffle(after, random);
        Map<Integer, Integer> all = new HashMap<>();
        for (int index = 0; index < before.size(); index++) {
            all.put(before.get(index), after.get(index));
        }
        return all;
    }

    /** One to three names: exchanged, chained to a new one, or a new one alone. */
    private static Map<String, String> otherNames(List<String> names, String prefix, Random random) {
        List<String> chosen = new ArrayList<>(names);
        Collections.shuffle(chosen, random);
        chosen = chosen.subList(0, Math.min(chosen.size(), 1 + random.nextInt(3)));
        Map<String, String> all = new HashMap<>();
        for (int index = 0; index < chosen.size(); index++) {
            all.put(chosen.get(index), chosen.get((index + 1) % chosen.size()));
        }
        if (random.nextBoolean() && !chosen.isEmpty()) {
            all.put(chosen.getLast(), unused(Set.copyOf(names), prefix, random));
        }
        return all;
    }

    private static String unused(Set<String> names, String prefix, Random random) {
        String name;
        do {
            name = prefix + random.nextInt(1000);
        } while (names.contains(name));
        return name;
    }
}
