package org.daqfabric.api.program;

/** One change of a switch's rules or groups. */
public sealed interface Message {
    /** Adds a rule, or replaces the one with the same key. */
    record PutRule(Rule rule) implements Message {
    }

    /** Removes exactly the rule with this key (a strict delete). */
    record DeleteRule(Rule.Key key) implements Message {
    }

    record AddGroup(Group group) implements Message {
    }

    record ModifyGroup(Group group) implements Message {
    }

    /** Removes a group; OpenFlow also removes the rules that still point to it. */
    record DeleteGroup(int id) implements Message {
    }
}
