package org.daqfabric.impl.engine.diff;

import java.util.Collection;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.program.Action;
import org.daqfabric.api.program.Group;
import org.daqfabric.api.program.Message;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.program.Rule;

/** What a switch holds after messages, as OpenFlow defines it. */
public final class Applied {
    private Applied() {
    }

    public static Program to(Program held, Collection<Message> messages) {
        SortedMap<Rule.Key, Rule> rules = new TreeMap<>(held.rules());
        SortedMap<Integer, Group> groups = new TreeMap<>(held.groups());
        for (Message message : messages) {
            switch (message) {
                case Message.PutRule put -> rules.put(put.rule().key(), put.rule());
                case Message.DeleteRule delete -> rules.remove(delete.key());
                case Message.AddGroup add -> groups.put(add.group().id(), add.group());
                case Message.ModifyGroup modify -> groups.put(modify.group().id(), modify.group());
                case Message.DeleteGroup delete -> {
                    groups.remove(delete.id());
                    rules.values().removeIf(rule -> rule.actions().contains(new Action.ToGroup(delete.id())));
                }
            }
        }
        return new Program(rules, groups);
    }
}
