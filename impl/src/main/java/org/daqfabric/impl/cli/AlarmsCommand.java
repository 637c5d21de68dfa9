package org.daqfabric.impl.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.daqfabric.api.NotDoneException;
import org.daqfabric.api.alarm.Alarm;
import org.daqfabric.api.alarm.AlarmId;
import org.daqfabric.api.alarm.AlarmResource;
import org.daqfabric.api.alarm.OperatorState;

/** {@code daqfabric:alarms}. */
@Service
@Command(scope = "daqfabric", name = "alarms",
    description = "Lists alarms, and says for others what is done about them: acknowledges, shelves, closes, purges")
public final class AlarmsCommand extends FabricCommand {
    @Argument(name = "resources", description = "What alarms are about: as listed, or only what comes last in it",
        multiValued = true)
    @Completion(SwitchOrLinkCompleter.class)
    List<String> resources;

    @Option(name = "--all", description = "Cleared ones and shelved ones too, and what happened to each")
    boolean all;

    @Option(name = "--type", description = "Only those of a type, such as link-down")
    String type;

    @Option(name = "--ack", description = "Somebody looks after them")
    boolean ack;

    @Option(name = "--close", description = "They are done with")
    boolean close;

    @Option(name = "--reset", description = "Nobody looks after them")
    boolean reset;

    @Option(name = "--shelve", description = "They are not to be told")
    boolean shelve;

    @Option(name = "--unshelve", description = "They are to be told again")
    boolean unshelve;

    @Option(name = "--purge", description = "Remove them from the list, as far as they are cleared")
    boolean purge;

    @Option(name = "--reason", description = "Why, for others to read")
    String reason;

    @Override
    View run() {
        List<Alarm> chosen = fabrics.alarms().stream().filter(this::isChosen).toList();
        Optional<OperatorState> state = state();
        if (state.isEmpty() && !purge) {
            return AlarmsView.of(chosen, all || isNamed());
        }
        if (!isNamed()) {
            throw new NotDoneException("say which: name resources as daqfabric:alarms lists them, or give --type");
        }
        if (chosen.isEmpty()) {
            throw new NotDoneException("there is no such alarm: daqfabric:alarms --all lists those there are");
        }
        requireOneFabricForEachName(chosen);
        Set<AlarmId> ids = chosen.stream().map(Alarm::id).collect(Collectors.toSet());
        if (purge) {
            return new AlarmsView.Purged(fabrics.purgeAlarms(ids));
        }
        return AlarmsView.of(fabrics.setOperatorState(ids, state.get(), ShellUser.name(),
            reason == null ? "" : reason), true);
    }

    private boolean isNamed() {
        return type != null || resources != null && !resources.isEmpty();
    }

    /** Fabrics may have links and switches of the same name: nothing is done to an alarm that was not meant. */
    private void requireOneFabricForEachName(List<Alarm> chosen) {
        Stream.ofNullable(resources).flatMap(List::stream).forEach(name -> {
            SortedSet<String> of = chosen.stream().map(alarm -> alarm.id().resource())
                .filter(each -> each.name().equals(name)).map(AlarmResource::fabric)
                .collect(Collectors.toCollection(TreeSet::new));
            if (of.size() > 1) {
                throw new NotDoneException(name + " is of several fabrics: name one with --fabric; of: "
                    + String.join(", ", of));
            }
        });
    }

    private Optional<OperatorState> state() {
        Map<OperatorState, Boolean> options = new LinkedHashMap<>();
        options.put(OperatorState.ACK, ack);
        options.put(OperatorState.CLOSED, close);
        options.put(OperatorState.NONE, reset);
        options.put(OperatorState.SHELVED, shelve);
        options.put(OperatorState.UN_SHELVED, unshelve);
        List<OperatorState> asked = options.keySet().stream().filter(options::get).toList();
        if (asked.size() + (purge ? 1 : 0) > 1) {
            throw new NotDoneException("one of --ack, --close, --reset, --shelve, --unshelve and --purge at a time");
        }
        return asked.stream().findFirst();
    }

    private boolean isChosen(Alarm alarm) {
        Predicate<String> named = name -> Stream.of(alarm.id().resource().toString(), alarm.id().resource().name())
            .anyMatch(name::equals);
        return (fabric == null || alarm.id().resource().fabric().equals(fabric()))
            && (type == null || TerminalText.of(alarm.id().type()).equals(type))
            && (resources == null || resources.isEmpty() || resources.stream().anyMatch(named));
    }
}
