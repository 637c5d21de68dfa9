package org.daqfabric.impl.engine.diff;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.program.Action;
import org.daqfabric.api.program.Group;
import org.daqfabric.api.program.Message;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.program.Rule;

/** The program a switch holds after messages, as OpenFlow defines them. */
public final class Applied {
    private Applied() {
    }

    public static Program to(Program installed, Collection<Message> messages) {
        SortedMap<Rule.Key, Rule> rules = new TreeMap<>();
        SortedMap<Integer, Group> groups = new TreeMap<>();
        Set<Action> deleted = new HashSet<>();
        for (Message message : messages) {
            switch (message) {
                case Message.PutRule put -> rules.put(put.rule().key(), put.rule());
                case Message.DeleteRule delete -> rules.put(delete.key(), null);
                case Message.AddGroup add -> groups.put(add.group().id(), add.group());
                case Message.ModifyGroup modify -> groups.put(modify.group().id(), modify.group());
                case Message.DeleteGroup delete -> {
                    groups.put(delete.id(), null);
                    Action to = new Action.ToGroup(delete.id());
                    deleted.add(to);
                    rules.replaceAll((key, rule) -> rule != null && rule.actions().contains(to) ? null : rule);
                }
            }
        }
        if (!deleted.isEmpty()) {
            for (Rule rule : installed.rules().values()) {
                if (rule.actions().stream().anyMatch(deleted::contains) && !rules.containsKey(rule.key())) {
                    rules.put(rule.key(), null);
                }
            }
        }
        return new Program(installed.rules().with(rules), installed.groups().with(groups));
    }
}
