package org.daqfabric.api.program;

import java.util.List;
import java.util.SortedMap;

/**
 * The rules and groups a switch holds, or must hold.
 *
 * @param rules by key
 * @param groups by id
 */
public record Program(Entries<Rule.Key, Rule> rules, Entries<Integer, Group> groups) {
    public static final Program EMPTY = new Program(Entries.ofRules(List.of()), Entries.ofGroups(List.of()));

    /** A program with the values of these maps. */
    public Program(SortedMap<Rule.Key, Rule> rules, SortedMap<Integer, Group> groups) {
        this(Entries.ofRules(rules.values()), Entries.ofGroups(groups.values()));
    }

    /** This program, with the objects of an earlier version where they are equal; that version itself if all are. */
    public Program sharing(Program before) {
        Entries<Rule.Key, Rule> sharedRules = rules.sharing(before.rules);
        Entries<Integer, Group> sharedGroups = groups.sharing(before.groups);
        return sharedRules == before.rules && sharedGroups == before.groups ? before
            : sharedRules == rules && sharedGroups == groups ? this : new Program(sharedRules, sharedGroups);
    }
}
