package org.daqfabric.impl.engine.history;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.daqfabric.api.history.Difference;
import org.daqfabric.api.history.FabricChanges;
import org.daqfabric.api.spec.FabricSpec;

/** Compares two configurations of a fabric, part by part. */
public final class Differ {
    private Differ() {
    }

    /**
     * What differs, and that in few words.
     *
     * @param before empty if there was no such fabric
     * @param after empty if there is none any more
     */
    public static FabricChanges compare(Optional<FabricSpec> before, Optional<FabricSpec> after) {
        SortedMap<Part, Map<String, String>> old = before.map(Parts::of).orElseGet(TreeMap::new);
        SortedMap<Part, Map<String, String>> now = after.map(Parts::of).orElseGet(TreeMap::new);
        Set<Part> all = new TreeSet<>(old.keySet());
        all.addAll(now.keySet());
        List<Change> changes = new ArrayList<>();
        all.forEach(part -> add(changes, part, old.get(part), now.get(part)));
        String summary;
        if (before.isEmpty() || after.isEmpty()) {
            summary = after.map(spec -> "fabric added: " + Summary.size(now.keySet()))
                .orElse(before.isEmpty() ? Summary.NOTHING : "fabric removed");
        } else {
            summary = Summary.of(changes);
        }
        return new FabricChanges(summary, changes.stream().map(Change::difference).toList());
    }

    private static void add(List<Change> changes, Part part, Map<String, String> before, Map<String, String> after) {
        if (before == null) {
            changes.add(new Change(part, Optional.empty(), Optional.empty(), Optional.of(properties(after))));
        } else if (after == null) {
            changes.add(new Change(part, Optional.empty(), Optional.of(properties(before)), Optional.empty()));
        } else {
            Set<String> names = new LinkedHashSet<>(before.keySet());
            names.addAll(after.keySet());
            names.stream().map(name -> new Change(part, Optional.of(name), Optional.ofNullable(before.get(name)),
                Optional.ofNullable(after.get(name)))).filter(change -> !change.before().equals(change.after()))
                .forEach(changes::add);
        }
    }

    private static String properties(Map<String, String> properties) {
        return properties.entrySet().stream().map(each -> each.getKey() + " " + each.getValue())
            .collect(Collectors.joining(", "));
    }

    /** A {@link Difference} whose part is not yet words. */
    record Change(Part part, Optional<String> property, Optional<String> before, Optional<String> after) {
        boolean isAddition() {
            return property.isEmpty() && before.isEmpty();
        }

        boolean isRemoval() {
            return property.isEmpty() && after.isEmpty();
        }

        Difference difference() {
            return new Difference(part.text(), property, before, after);
        }
    }
}
