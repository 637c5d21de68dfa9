package org.daqfabric.api.program;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The rules and groups a switch holds, or must hold.
 *
 * @param rules by key
 * @param groups by id
 */
public record Program(SortedMap<Rule.Key, Rule> rules, SortedMap<Integer, Group> groups) {
    public static final Program EMPTY = new Program(new TreeMap<>(), new TreeMap<>());

    public Program {
        rules = Collections.unmodifiableSortedMap(rules);
        groups = Collections.unmodifiableSortedMap(groups);
    }
}
