package org.daqfabric.api.program;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;

/**
 * The rules and groups a switch holds, or must hold.
 *
 * @param rules by key
 * @param groups by id
 * @param unusable numbers of ports whose links must not be used, in the program of a leaf or spine, and of daqrings
 *     whose packets have no usable link: what leads only there, or from there, leads nowhere. This decides when
 *     something is changed, not what; programs are compared without it.
 */
public record Program(Entries<Rule.Key, Rule> rules, Entries<Integer, Group> groups, Set<Integer> unusable) {
    public static final Program EMPTY = new Program(Entries.ofRules(List.of()), Entries.ofGroups(List.of()));

    public Program {
        unusable = Set.copyOf(unusable);
    }

    /** A program of which no port is known to be unusable. */
    public Program(Entries<Rule.Key, Rule> rules, Entries<Integer, Group> groups) {
        this(rules, groups, Set.of());
    }

    /** A program with the values of these maps. */
    public Program(SortedMap<Rule.Key, Rule> rules, SortedMap<Integer, Group> groups) {
        this(Entries.ofRules(rules.values()), Entries.ofGroups(groups.values()));
    }

    /** This program, with the objects of an earlier version where they are equal; that version itself if all are. */
    public Program sharing(Program before) {
        Entries<Rule.Key, Rule> sharedRules = rules.sharing(before.rules);
        Entries<Integer, Group> sharedGroups = groups.sharing(before.groups);
        return sharedRules == before.rules && sharedGroups == before.groups && unusable.equals(before.unusable) ? before
            : sharedRules == rules && sharedGroups == groups ? this
            : new Program(sharedRules, sharedGroups, unusable);
    }

    @Override
    public boolean equals(Object other) {
        return other == this || other instanceof Program that && rules.equals(that.rules) && groups.equals(that.groups);
    }

    @Override
    public int hashCode() {
        return Objects.hash(rules, groups);
    }
}
