package org.daqfabric.impl;

import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Packages and the packages that each of them uses, by name. */
record PackageGraph(SortedMap<String, SortedSet<String>> uses) {
    private static final String ROOT = "org.daqfabric.";

    /** The packages below {@code org.daqfabric}, without that prefix. */
    static PackageGraph of(JavaClasses classes) {
        SortedMap<String, SortedSet<String>> uses = new TreeMap<>();
        classes.stream().filter(type -> type.getPackageName().startsWith(ROOT)).forEach(type -> {
            SortedSet<String> used = uses.computeIfAbsent(name(type.getPackageName()), any -> new TreeSet<>());
            type.getDirectDependenciesFromSelf().stream()
                .map(dependency -> dependency.getTargetClass().getBaseComponentType().getPackageName())
                .filter(target -> target.startsWith(ROOT))
                .forEach(target -> used.add(name(target)));
        });
        uses.forEach((from, used) -> used.remove(from));
        return new PackageGraph(uses);
    }

    private static String name(String packageName) {
        return packageName.substring(ROOT.length());
    }

    /** The graph with packages merged into the nodes that {@code group} names. */
    PackageGraph merged(UnaryOperator<String> group) {
        SortedMap<String, SortedSet<String>> merged = new TreeMap<>();
        uses.forEach((from, used) -> {
            SortedSet<String> targets = merged.computeIfAbsent(group.apply(from), any -> new TreeSet<>());
            used.forEach(target -> targets.add(group.apply(target)));
        });
        merged.forEach((from, used) -> used.remove(from));
        return new PackageGraph(merged);
    }

    /** The packages that satisfy {@code selected}, and what they use of each other. */
    PackageGraph only(Predicate<String> selected) {
        SortedMap<String, SortedSet<String>> kept = new TreeMap<>();
        uses.forEach((from, used) -> {
            if (selected.test(from)) {
                kept.put(from, new TreeSet<>(used.stream().filter(selected).toList()));
            }
        });
        return new PackageGraph(kept);
    }

    /** The same graph without edges that a longer path implies; requires that there is no cycle. */
    PackageGraph reduced() {
        SortedMap<String, SortedSet<String>> reduced = new TreeMap<>();
        uses.forEach((from, used) -> {
            SortedSet<String> implied = new TreeSet<>();
            used.forEach(target -> implied.addAll(reachable(target)));
            if (implied.contains(from)) {
                throw new IllegalStateException("packages use each other in a cycle: " + from + " and " + implied);
            }
            reduced.put(from, new TreeSet<>(used.stream().filter(target -> !implied.contains(target)).toList()));
        });
        return new PackageGraph(reduced);
    }

    /** All that {@code from} uses, directly or not. */
    private Set<String> reachable(String from) {
        Set<String> found = new TreeSet<>();
        Deque<String> open = new ArrayDeque<>(List.of(from));
        while (!open.isEmpty()) {
            for (String target : uses.get(open.pop())) {
                if (found.add(target)) {
                    open.push(target);
                }
            }
        }
        return found;
    }
}
