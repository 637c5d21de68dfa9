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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.daqfabric.api.program.Action;
import org.daqfabric.api.program.Group;
import org.daqfabric.api.program.Message;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.program.Rule;
import org.eclipse.jdt.annotation.Nullable;

/**
 * The messages that bring a switch from the installed program to the desired one, make before break. Each call names
 * the next messages for what is installed now; they may be sent in any order, and the next call follows when they are
 * confirmed. There is no other memory, so a newer desired program may replace an older one at any moment.
 *
 * <p>A rule or group that led nowhere and now leads somewhere counts as added, one that leads nowhere any more as
 * removed. What is desired to lead only to ports whose links must not be used ({@link Program#unusable}) leads nowhere:
 * a link may have gone from the configuration while the other one between the same switches is down. So does what
 * takes packets out of a daqring that can only go round by another leaf, which may have no other way either. Among
 * changes, groups that every rule pointing to them keeps come first, then rules whose groups are already as desired.
 * Where rules exchange groups whose contents change too, no such order exists: the old content is copied to a spare
 * group, and the rules wait there.
 *
 * <p>With rules for prefixes, one that is added or removed can change the rule that other packets match: see
 * {@link Overlaps}. It counts as a change then.
 */
public final class Diff {
    private final Program installed;
    private final Program desired;
    /** Desired rules that are missing or installed with other actions. */
    private final List<Rule> differing = new ArrayList<>();
    /** Installed rules that are desired with other actions or not at all. */
    private final List<Rule> outdated = new ArrayList<>();
    /** Keys of installed rules that are not desired. */
    private final List<Rule.Key> gone = new ArrayList<>();
    /** Desired groups that are missing or installed with other content. */
    private final List<Group> differingGroups = new ArrayList<>();
    /** Installed groups that are not desired. */
    private final List<Group> goneGroups = new ArrayList<>();
    private final Overlaps overlaps;
    /** Ports whose links must not be used, and daqrings whose packets would go there. */
    private final Set<Integer> unusable;
    /** The desired groups for packets of such daqrings. */
    private final Set<Integer> fromUnusable;

    private Diff(Program installed, Program desired) {
        this.installed = installed;
        this.desired = desired;
        installed.rules().compare(desired.rules(), (before, after) -> {
            if (after == null) {
                gone.add(before.key());
            } else {
                differing.add(after);
            }
            if (before != null) {
                outdated.add(before);
            }
        });
        installed.groups().compare(desired.groups(), (before, after) -> {
            if (after == null) {
                goneGroups.add(before);
            } else {
                differingGroups.add(after);
            }
        });
        overlaps = Overlaps.of(installed, desired, differing, gone);
        unusable = differing.isEmpty() || desired.unusable().isEmpty() ? desired.unusable() : withRings(desired);
        fromUnusable = differingGroups.isEmpty() || desired.unusable().isEmpty() ? Set.of() : fromUnusable(desired);
    }

    private static Set<Integer> fromUnusable(Program desired) {
        return desired.rules().values().stream().filter(rule -> isFrom(rule, desired.unusable()))
            .flatMap(rule -> groupOf(rule).stream()).collect(Collectors.toSet());
    }

    private static boolean isFrom(Rule rule, Set<Integer> unusable) {
        return rule.match().inPort().stream().anyMatch(unusable::contains);
    }

    private static Set<Integer> withRings(Program desired) {
        Set<Integer> all = new HashSet<>(desired.unusable());
        desired.rules().values().forEach(rule -> rule.match().inPort().ifPresent(port -> {
            if (leadsNowhere(desired, rule)) {
                all.add(port);
            }
        }));
        return all;
    }

    /** Compares once; the result answers for every stage. */
    public static Diff between(Program installed, Program desired) {
        return new Diff(installed, desired);
    }

    /**
     * The next messages of a stage; all earlier stages are complete.
     *
     * @return empty if nothing of the stage is left
     */
    public static List<Message> next(Program installed, Program desired, Stage stage) {
        return installed == desired ? List.of() : between(installed, desired).next(stage);
    }

    /** The next messages of a stage; all earlier stages are complete. */
    public List<Message> next(Stage stage) {
        return switch (stage) {
            case ADD -> add();
            case CHANGE -> change();
            case REMOVE -> desired.unusable().isEmpty() ? remove() : changeUnusableAndRemove();
        };
    }

    /** What leads to unusable ports changes in the same order as everything else, but after it. */
    private List<Message> changeUnusableAndRemove() {
        Diff rest = between(installed, new Program(desired.rules(), desired.groups()));
        return Stream.of(Stage.values()).map(rest::next).filter(messages -> !messages.isEmpty()).findFirst()
            .orElse(List.of());
    }

    private List<Message> add() {
        List<Message> groups = addedGroups();
        return groups.isEmpty() ? rules(rule -> ledNowhere(installed, installed.rules().get(rule.key()))
            && !overlaps.takesPackets(rule) && !overlaps.isEarly(rule.key())) : groups;
    }

    private List<Message> change() {
        List<Message> messages = new ArrayList<>(changedGroups());
        messages.addAll(rules(rule -> pointsToFinal(rule) && !leadsNowhere(desired, rule, unusable)
            && !overlaps.isEarly(rule.key())));
        gone.stream().filter(key -> !overlaps.isEarly(key)
                && overlaps.successor(key).filter(this::pointsToFinal).isPresent())
            .map(Message.DeleteRule::new).forEach(messages::add);
        return messages.isEmpty() ? parkOldContent() : messages;
    }

    private List<Message> addedGroups() {
        List<Message> independent = new ArrayList<>();
        List<Message> watching = new ArrayList<>();
        for (Group group : differingGroups) {
            Group before = installed.groups().get(group.id());
            if (before == null) {
                (needsGroups(group) ? watching : independent).add(new Message.AddGroup(group));
            } else if (leadsNowhere(before, Set.of()) && !leadsNowhere(group)) {
                watching.add(new Message.ModifyGroup(group));
            }
        }
        return independent.isEmpty() ? watching : independent;
    }

    private static boolean needsGroups(Group group) {
        return group.buckets().stream().anyMatch(bucket -> bucket.watchGroup().isPresent()
            || bucket.actions().stream().anyMatch(Action.ToGroup.class::isInstance));
    }

    private List<Message> changedGroups() {
        Set<Integer> left = new HashSet<>();
        for (Rule rule : outdated) {
            groupOf(rule).filter(group -> pointsElsewhere(rule, group)).ifPresent(left::add);
        }
        overlaps.losers().forEach(rule -> groupOf(rule).ifPresent(left::add));
        return changed().stream().filter(group -> !left.contains(group.id()))
            .<Message>map(Message.ModifyGroup::new).toList();
    }

    /** Groups that lead nowhere any more. They change last, when no switch sends packets to them. */
    private List<Message> emptiedGroups() {
        return differingGroups.stream().filter(this::leadsNowhere).<Message>map(Message.ModifyGroup::new).toList();
    }

    /** Desired groups that are installed with other content. */
    private List<Group> changed() {
        return differingGroups.stream()
            .filter(group -> installed.groups().containsKey(group.id()) && !leadsNowhere(group)).toList();
    }

    /** Whether an installed rule that points to a group is desired to point elsewhere, or not at all. */
    private boolean pointsElsewhere(Rule rule, int group) {
        Rule wanted = desired.rules().get(rule.key());
        return wanted == null || !groupOf(wanted).equals(Optional.of(group));
    }

    private boolean isFinal(int group) {
        Group wanted = desired.groups().get(group);
        return Objects.equals(installed.groups().get(group), wanted) || wanted != null && leadsNowhere(wanted);
    }

    /** Messages for those of the differing rules that pass a filter and can be installed now. */
    private List<Message> rules(Predicate<Rule> which) {
        if (differing.isEmpty()) {
            return List.of();
        }
        Set<Integer> blockedPorts = new HashSet<>();
        differing.forEach(rule -> rule.match().inPort().ifPresent(blockedPorts::add));
        if (!differingGroups.isEmpty()) {
            // only then: this runs for every switch with every batch
            for (Rule rule : desired.rules().values()) {
                rule.match().inPort().ifPresent(port -> {
                    if (!pointsToFinal(rule)) {
                        blockedPorts.add(port);
                    }
                });
            }
        }
        return differing.stream().filter(which)
            // packets put into a daqring need a rule that takes them on from it
            .filter(rule -> outputs(rule).noneMatch(blockedPorts::contains))
            .<Message>map(Message.PutRule::new).toList();
    }

    /** Numbers of the ports that a desired rule outputs to, itself or through its group. */
    private Stream<Integer> outputs(Rule rule) {
        Stream<Action> throughGroup = groupOf(rule).map(desired.groups()::get).stream()
            .flatMap(group -> group.buckets().stream()).flatMap(bucket -> bucket.actions().stream());
        return Stream.concat(rule.actions().stream(), throughGroup)
            .filter(Action.Output.class::isInstance).map(action -> ((Action.Output) action).port());
    }

    /** Whether a rule of the desired program leads nowhere. */
    static boolean leadsNowhere(Program desired, Rule rule) {
        return leadsNowhere(desired, rule, desired.unusable());
    }

    /** Whether there is no such rule in the installed program or it leads nowhere, whatever links were usable then. */
    static boolean ledNowhere(Program installed, @Nullable Rule rule) {
        return rule == null || leadsNowhere(installed, rule, Set.of());
    }

    private static boolean leadsNowhere(Program program, Rule rule, Set<Integer> unusable) {
        return rule.actions().isEmpty() || endsAt(rule.actions(), unusable) || isFrom(rule, unusable)
            || groupOf(rule).map(program.groups()::get).filter(group -> leadsNowhere(group, unusable)).isPresent();
    }

    private boolean leadsNowhere(Group wanted) {
        return leadsNowhere(wanted, unusable) || fromUnusable.contains(wanted.id());
    }

    /** Whether a group has no bucket, or only those to unusable ports and the one back by the in-port. */
    private static boolean leadsNowhere(Group group, Set<Integer> unusable) {
        return group.type() != Group.Type.INDIRECT && group.buckets().stream()
            .allMatch(bucket -> bucket.actions().contains(new Action.OutputInPort())
                || bucket.watchPort().stream().anyMatch(unusable::contains) || endsAt(bucket.actions(), unusable));
    }

    private static boolean endsAt(List<Action> actions, Set<Integer> unusable) {
        return !unusable.isEmpty() && actions.stream()
            .anyMatch(action -> action instanceof Action.Output output && unusable.contains(output.port()));
    }

    private boolean pointsToFinal(Rule rule) {
        return groupOf(rule).map(this::isFinal).orElse(true);
    }

    /** Frees changed groups that rules point away from: copies their old content to spare groups for those rules. */
    private List<Message> parkOldContent() {
        Map<List<Group.Bucket>, Integer> spares = new HashMap<>();
        goneGroups.forEach(group -> spares.put(group.buckets(), group.id()));
        SortedMap<Integer, Group> blocked = new TreeMap<>();
        changed().forEach(group -> blocked.put(group.id(), installed.groups().get(group.id())));
        List<Message> copies = new ArrayList<>();
        Set<Integer> taken = new HashSet<>(installed.groups().keySet());
        for (Group group : blocked.values()) {
            if (!spares.containsKey(group.buckets())) {
                int id = group.id() + 1;
                while (taken.contains(id) || desired.groups().containsKey(id)) {
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
        leaving.removeIf(rule -> groupOf(rule).filter(id -> pointsElsewhere(rule, id)).isEmpty());
        leaving.addAll(overlaps.losers());
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
