package org.daqfabric.impl.engine.check;

import java.util.ArrayList;
import java.util.List;

/**
 * A node that a problem is about, as data. Northbound writes it as an instance path, other readers may leave it out,
 * for every message names the node as well.
 *
 * @param steps from the root of the tree to the node; empty for the root itself
 */
public record Location(Tree tree, List<Step> steps) {
    /** What the steps begin at. */
    public enum Tree {
        /** The list of configured fabrics. */
        CONFIGURATION,
        /** The input of an operation. */
        INPUT
    }

    /**
     * One node, by its name in the YANG module.
     *
     * @param keys which entry, if the node is a list; otherwise empty
     */
    public record Step(String node, List<Key> keys) {
        public Step {
            keys = List.copyOf(keys);
        }
    }

    /** One key of a list entry. */
    public record Key(String leaf, String value) {
    }

    public Location {
        steps = List.copyOf(steps);
    }

    /** All configured fabrics. */
    public static Location fabrics() {
        return new Location(Tree.CONFIGURATION, List.of());
    }

    /** One configured fabric. */
    public static Location fabric(String name) {
        return fabrics().entry("fabric", "name", name);
    }

    /** The input of an operation as a whole. */
    public static Location input() {
        return new Location(Tree.INPUT, List.of());
    }

    /** One node at the top of an operation's input. */
    public static Location input(String node) {
        return input().child(node);
    }

    /** A leaf or container below this node. */
    public Location child(String node) {
        return below(new Step(node, List.of()));
    }

    /** An entry of a list below this node. */
    public Location entry(String list, String leaf, Object value) {
        return below(new Step(list, List.of(new Key(leaf, String.valueOf(value)))));
    }

    /** An entry of a list with two keys below this node. */
    public Location entry(String list, String leaf, Object value, String secondLeaf, Object secondValue) {
        return below(new Step(list, List.of(new Key(leaf, String.valueOf(value)),
            new Key(secondLeaf, String.valueOf(secondValue)))));
    }

    private Location below(Step step) {
        List<Step> longer = new ArrayList<>(steps);
        longer.add(step);
        return new Location(tree, longer);
    }

    /** The same node below {@code to} if it is {@code from} or below it; otherwise unchanged. */
    public Location moved(Location from, Location to) {
        int shared = from.steps.size();
        if (tree != from.tree || steps.size() < shared || !steps.subList(0, shared).equals(from.steps)) {
            return this;
        }
        List<Step> moved = new ArrayList<>(to.steps);
        moved.addAll(steps.subList(shared, steps.size()));
        return new Location(to.tree, moved);
    }
}
