package org.daqfabric.impl.engine.history;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.daqfabric.api.spec.AdminState;
import org.daqfabric.impl.engine.history.Differ.Change;
import org.daqfabric.impl.engine.history.Part.Kind;

/** Says in few words what changed: alike changes of parts of one kind together, and no more than a few of them. */
final class Summary {
    static final String NOTHING = "nothing changed";
    private static final int MOST_PHRASES = 6;

    private Summary() {
    }

    static String of(List<Change> changes) {
        Map<Alike, List<Change>> alike = new LinkedHashMap<>();
        changes.forEach(change -> alike.computeIfAbsent(Alike.of(change), none -> new ArrayList<>()).add(change));
        List<String> phrases = new ArrayList<>();
        alike.forEach((key, group) -> phrases.add(key.phrase(group)));
        if (phrases.isEmpty()) {
            return NOTHING;
        }
        if (phrases.size() > MOST_PHRASES) {
            int rest = phrases.size() - MOST_PHRASES + 1;
            phrases.subList(MOST_PHRASES - 1, phrases.size()).clear();
            phrases.add(rest + " other kinds of changes");
        }
        return String.join("; ", phrases);
    }

    /** How many parts there are of each kind. */
    static String size(Collection<Part> parts) {
        Map<Kind, Long> counts = parts.stream().filter(part -> part.kind() != Kind.POLICY)
            .collect(Collectors.groupingBy(Part::kind, TreeMap::new, Collectors.counting()));
        return counts.isEmpty() ? "empty"
            : counts.entrySet().stream().map(each -> each.getKey().count(each.getValue()))
                .collect(Collectors.joining(", "));
    }

    /**
     * What changes have in common that one phrase can tell.
     *
     * @param what the property; empty if parts are added or removed
     * @param addition whether parts are added
     * @param target an admin-state, for changes of it
     */
    private record Alike(Kind kind, Optional<String> what, boolean addition, Optional<String> target) {
        static Alike of(Change change) {
            boolean admin = change.property().equals(Optional.of(Parts.ADMIN_STATE));
            return new Alike(change.part().kind(), change.property(), change.isAddition(),
                admin ? change.after() : Optional.empty());
        }

        String phrase(List<Change> group) {
            Change first = group.get(0);
            String parts = group.size() == 1 ? first.part().text() : kind.count(group.size());
            if (what.isEmpty()) {
                return parts + (addition ? " added" : " removed");
            }
            if (target.isPresent()) {
                return parts + (target.get().equals(Parts.text(AdminState.DRAINED)) ? " drained"
                    : " back in service");
            }
            if (kind == Kind.DCM && what.get().equals(Parts.RACK)) {
                return parts + " moved" + common(group).map(change -> " from rack " + change.before().orElse("(none)")
                    + " to rack " + change.after().orElse("(none)")).orElse(" to other racks");
            }
            return (group.size() == 1 ? parts + " " + what.get() : parts + ": " + what.get())
                + common(group).map(change -> " " + change.before().orElse("(none)") + " -> "
                    + change.after().orElse("(none)")).orElse(" changed");
        }

        /** One of the changes if all have the same values before and after. */
        private static Optional<Change> common(List<Change> group) {
            Change first = group.get(0);
            return group.stream().allMatch(each -> each.before().equals(first.before())
                && each.after().equals(first.after())) ? Optional.of(first) : Optional.empty();
        }
    }
}
