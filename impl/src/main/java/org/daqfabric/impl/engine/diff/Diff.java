package org.daqfabric.impl.engine.diff;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.daqfabric.api.program.Action;
import org.daqfabric.api.program.Entries;
import org.daqfabric.api.program.Group;
import org.daqfabric.api.program.Message;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.program.Rule;

/**
 * The way from what a switch holds to what it must hold, make before break. It has no memory: given what is held now it
 * names the next messages, which may be sent in any order, and is asked again when they are confirmed. So a newer
 * target may take the place of an older one at any moment.
 *
 * <p>A rule or group that led nowhere and now leads somewhere counts as added, one that leads nowhere any more as
 * removed. Among changes, groups that every rule pointing to them keeps come first, then rules whose groups are as they
 * must be. Where rules exchange groups whose contents change too, no such order exists: the old content is copied to a
 * spare group, the rules wait there.
 *
 * <p>Where rules are to prefixes, one that comes or goes can change the way of packets that have another rule: see
 * {@link Overlaps}. It counts as a change then.
 */
public final class Diff {
    private final Program held;
    private final Program target;
    /** Rules of the target that are not held as they must be, held rules that are to be another, and what is held for nothing. */
    private final List<Rule> differing = new ArrayList<>();
    private final List<Rule> outdated = new ArrayList<>();
    private final List<Rule.Key> gone = new ArrayList<>();
    /** Groups of the target that are not held as they must be, and groups held for nothing. */
    private final List<Group> differingGroups = new ArrayList<>();
    private final List<Group> goneGroups = new ArrayList<>();
    private final Overlaps overlaps;

    private Diff(Program held, Program target) {
        this.held = held;
        this.target = target;
        held.rules().compare(target.rules(), (before, after) -> {
            if (after == null) {
                gone.add(before.key());
            } else {
                differing.add(after);
            }
            if (before != null) {
                outdated.add(before);
            }
        });
        held.groups().compare(target.groups(), (before, after) -> {
            if (after == null) {
                goneGroups.add(before);
            } else {
                differingGroups.add(after);
            }
        });
        overlaps = Overlaps.of(held, target, differing, gone);
    }

    /** Compares what is held with what must be; all stages can be asked of it. */
    public static Diff between(Program held, Program target) {
        return new Diff(held, target);
    }

    /**
     * The next messages of a stage, of which the ones before are done.
     *
     * @return empty if nothing of the stage is left
     */
    public static List<Message> next(Program held, Program target, Stage stage) {
        return held == target ? List.of() : between(held, target).next(stage);
    }

    /** The same of a comparison that was made. */
    public List<Message> next(Stage stage) {
        return switch (stage) {
            case ADD -> add();
            case CHANGE -> change();
            case REMOVE -> remove();
        };
    }

    private List<Message> add() {
        List<Message> groups = addedGroups();
        return groups.isEmpty() ? rules(rule -> leadsNowhere(held, held.rules().get(rule.key()))
            && !overlaps.takes(rule) && !overlaps.isEarly(rule.key())) : groups;
    }

    private List<Message> change() {
        List<Message> messages = new ArrayList<>(changedGroups());
        messages.addAll(rules(rule -> pointsToFinal(rule) && !leadsNowhere(target, rule)
            && !overlaps.isEarly(rule.key())));
        gone.stream().filter(key -> !overlaps.isEarly(key) && overlaps.heir(key).filter(this::pointsToFinal).isPresent())
            .map(Message.DeleteRule::new).forEach(messages::add);
        return messages.isEmpty() ? wayOut() : messages;
    }

    private List<Message> addedGroups() {
        List<Message> leaves = new ArrayList<>();
        List<Message> watching = new ArrayList<>();
        for (Group group : differingGroups) {
            Group before = held.groups().get(group.id());
            if (before == null) {
                (needsGroups(group) ? watching : leaves).add(new Message.AddGroup(group));
            } else if (leadsNowhere(before) && !leadsNowhere(group)) {
                watching.add(new Message.ModifyGroup(group));
            }
        }
        return leaves.isEmpty() ? watching : leaves;
    }

    private static boolean needsGroups(Group group) {
        return group.buckets().stream().anyMatch(bucket -> bucket.watchGroup().isPresent()
            || bucket.actions().stream().anyMatch(Action.ToGroup.class::isInstance));
    }

    private List<Message> changedGroups() {
        Set<Integer> left = new HashSet<>();
        for (Rule rule : outdated) {
            groupOf(rule).filter(group -> leaves(rule, group)).ifPresent(left::add);
        }
        overlaps.robbed().forEach(rule -> groupOf(rule).ifPresent(left::add));
        return changed().stream().filter(group -> !left.contains(group.id()))
            .<Message>map(Message.ModifyGroup::new).toList();
    }

    /** Groups that lead nowhere any more; they lead somewhere until nobody counts on it. */
    private List<Message> emptiedGroups() {
        return differingGroups.stream().filter(Diff::leadsNowhere).<Message>map(Message.ModifyGroup::new).toList();
    }

    /** Groups in both whose content differs, as they must be. */
    private List<Group> changed() {
        return differingGroups.stream()
            .filter(group -> held.groups().containsKey(group.id()) && !leadsNowhere(group)).toList();
    }

    /** Whether a held rule points to a group and the target points it elsewhere. */
    private boolean leaves(Rule rule, int group) {
        Rule wanted = target.rules().get(rule.key());
        return wanted == null || !groupOf(wanted).equals(Optional.of(group));
    }

    private boolean isFinal(int group) {
        Group wanted = target.groups().get(group);
        return Objects.equals(held.groups().get(group), wanted) || wanted != null && leadsNowhere(wanted);
    }

    /** Rules that are not held as they must be. */
    private List<Message> rules(Predicate<Rule> which) {
        if (differing.isEmpty()) {
            return List.of();
        }
        Set<Integer> noWayOn = new HashSet<>();
        differing.forEach(rule -> rule.match().inPort().ifPresent(noWayOn::add));
        if (!differingGroups.isEmpty()) {
            // asked of every switch with every batch
            for (Rule rule : target.rules().values()) {
                rule.match().inPort().ifPresent(port -> {
                    if (!pointsToFinal(rule)) {
                        noWayOn.add(port);
                    }
                });
            }
        }
        return differing.stream().filter(which)
            // a packet put into a daqring must find its way on
            .filter(rule -> outputs(rule).noneMatch(noWayOn::contains))
            .<Message>map(Message.PutRule::new).toList();
    }

    /** Numbers of the ports a rule of the target sends packets out by, itself or through its group. */
    private Stream<Integer> outputs(Rule rule) {
        Stream<Action> throughGroup = groupOf(rule).map(target.groups()::get).stream()
            .flatMap(group -> group.buckets().stream()).flatMap(bucket -> bucket.actions().stream());
        return Stream.concat(rule.actions().stream(), throughGroup)
            .filter(Action.Output.class::isInstance).map(action -> ((Action.Output) action).port());
    }

    static boolean leadsNowhere(Program program, Rule rule) {
        return rule == null || rule.actions().isEmpty() || groupOf(rule).map(program.groups()::get)
            .map(Diff::leadsNowhere).orElse(false);
    }

    /** Whether a group has no way out, or only the one back. */
    private static boolean leadsNowhere(Group group) {
        return group.type() != Group.Type.INDIRECT && group.buckets().stream()
            .allMatch(bucket -> bucket.actions().contains(new Action.OutputInPort()));
    }

    private boolean pointsToFinal(Rule rule) {
        return groupOf(rule).map(this::isFinal).orElse(true);
    }

    /** Frees the changed groups that rules leave, by way of spare groups with their old content. */
    private List<Message> wayOut() {
        Map<List<Group.Bucket>, Integer> spares = new HashMap<>();
        goneGroups.forEach(group -> spares.put(group.buckets(), group.id()));
        SortedMap<Integer, Group> blocked = new TreeMap<>();
        changed().forEach(group -> blocked.put(group.id(), held.groups().get(group.id())));
        List<Message> copies = new ArrayList<>();
        Set<Integer> taken = new HashSet<>(held.groups().keySet());
        for (Group group : blocked.values()) {
            if (!spares.containsKey(group.buckets())) {
                int id = group.id() + 1;
                while (taken.contains(id) || target.groups().containsKey(id)) {
                    id++;
                }
                taken.add(id);
                spares.put(group.buckets(), id);
                copies.add(new Message.AddGroup(new Group(id, group.type(), group.buckets())));
            }
        }
        if (!copies.isEmpty()) {
            return copies;
        }
        List<Message> waiting = new ArrayList<>();
        Set<Rule> leaving = new LinkedHashSet<>(outdated);
        leaving.removeIf(rule -> groupOf(rule).filter(id -> leaves(rule, id)).isEmpty());
        leaving.addAll(overlaps.robbed());
        for (Rule rule : leaving) {
            Optional<Integer> group = groupOf(rule).filter(blocked::containsKey);
            group.ifPresent(id -> waiting.add(new Message.PutRule(
                redirect(rule, spares.get(blocked.get(id).buckets())))));
        }
        return waiting;
    }

    private static Rule redirect(Rule rule, int group) {
        return new Rule(rule.priority(), rule.match(), rule.actions().stream()
            .map(action -> action instanceof Action.ToGroup ? new Action.ToGroup(group) : action).toList());
    }

    private List<Message> remove() {
        List<Message> rules = new ArrayList<>(emptiedGroups());
        rules.addAll(rules(rule -> true));
        gone.stream().map(Message.DeleteRule::new).forEach(rules::add);
        if (!rules.isEmpty()) {
            return rules;
        }
        boolean someWatch = goneGroups.stream().anyMatch(Diff::needsGroups);
        return goneGroups.stream().filter(group -> !someWatch || needsGroups(group))
            .<Message>map(group -> new Message.DeleteGroup(group.id())).toList();
    }

    /** The group a rule points to; the rules of this application point to one at most. */
    private static Optional<Integer> groupOf(Rule rule) {
        return rule.actions().stream().filter(Action.ToGroup.class::isInstance)
            .map(action -> ((Action.ToGroup) action).id()).findFirst();
    }
}
