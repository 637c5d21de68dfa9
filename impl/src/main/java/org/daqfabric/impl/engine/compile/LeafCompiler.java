package org.daqfabric.impl.engine.compile;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import org.daqfabric.api.placement.SpineChoice;
import org.daqfabric.api.program.Action;
import org.daqfabric.api.program.Group.Bucket;
import org.daqfabric.api.program.Match;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Role;
import org.daqfabric.impl.engine.topology.Segment;
import org.eclipse.jdt.annotation.Nullable;

/** Compiles a leaf, as a whole or from what it was compiled to before. */
final class LeafCompiler extends SwitchCompiler {
    private final int plane;
    private final int pod;
    private final int ownMark;
    private final int[] spineChoices;
    /** Names of the plane's spines by id. */
    private final SortedMap<Integer, String> spines;
    /** By the index of the destination's pod and the number of the spine choice; only without parallel links. */
    private final Action[][] podActions;

    LeafCompiler(CompileContext context, String self, Set<String> present, Role.OfLeaf leaf) {
        super(context, self, present);
        plane = leaf.plane();
        pod = leaf.pod();
        ownMark = context.topology.mark(self);
        spineChoices = context.spineChoices(plane, pod);
        spines = context.topology.spines(plane);
        podActions = new Action[context.topology.spec().pods().size()][];
    }

    /**
     * The leaf's program.
     *
     * @param before what the leaf was compiled to before a change of this fabric; null if it was not
     */
    Program compile(@Nullable CompiledLeaf before) {
        boolean samePorts = before != null && before.present().equals(present)
            && before.portNumbers().equals(portNumbers);
        return samePorts ? compileFrom(before) : compileWhole();
    }

    /** What the next compiler of this leaf starts from. */
    CompiledLeaf compiled(Program program) {
        return new CompiledLeaf(spineChoices, present, portNumbers, podActions, groups.buckets(), program, true);
    }

    private Program compileWhole() {
        rules.addAll(COMMON_RULES);
        for (RuleInterner.Host host : context.interner.hosts()) {
            if (host.planes().get(plane)) {
                add(host);
            }
        }
        addTurnedBack();
        return program();
    }

    /** Asks for groups in the same order as {@link #compileWhole}: only then do they get the same ids. */
    private Program compileFrom(CompiledLeaf before) {
        if (before.groupsCurrent()) {
            groups.reuse(before.buckets());
        }
        for (RuleInterner.Host host : context.interner.hosts()) {
            if (host.planes().get(plane) && host.endpoint().pod() != pod) {
                Action action = toPod(host);
                if (!action.equals(before.toPod(host))) {
                    add(host, action);
                }
            }
        }
        addTurnedBack();
        return new Program(before.program().rules().with(byKey(rules)), groups.groups(), unusable());
    }

    private void add(RuleInterner.Host each) {
        Endpoint host = each.endpoint();
        if (host.pod() == pod) {
            addThroughRing(each, down(host.edge(), host.address(),
                lanes -> new GroupKey.ToUplinks(host.edge(), lanes)));
        } else if (context.parallelLinks) {
            SpineChoice choice = context.spineChoice(plane, pod, each);
            add(each, toPod(host, choice, lanes(host, choice)));
        } else {
            add(each, toPod(each));
        }
    }

    /** Without parallel links, addresses of one pod with the same spine choice share the action. */
    private Action toPod(RuleInterner.Host host) {
        if (podActions[host.podIndex()] == null) {
            podActions[host.podIndex()] = new Action[context.interner.spineChoices()];
        }
        Action[] actions = podActions[host.podIndex()];
        int choice = spineChoices[host.index()];
        if (actions[choice] == null) {
            actions[choice] = toPod(host.endpoint(), context.spineChoice(plane, pod, host), List.of());
        }
        return actions[choice];
    }

    private Action toPod(Endpoint host, SpineChoice choice, List<PortId> lanes) {
        return new Action.ToGroup(groups.id(
            new GroupKey.ToPod(
            context.topology.mark(context.topology.leaf(plane, host.pod())), mark(choice.spine()),
            mark(choice.backup()), lanes), () -> toPod(host)));
    }

    /** Stands for a spine whatever its id; a spine that is not configured any more has no mark, and is not used. */
    private int mark(int spine) {
        return spines.containsKey(spine) ? context.topology.mark(spines.get(spine)) : -spine;
    }

    private List<PortId> lanes(Endpoint host, SpineChoice choice) {
        List<PortId> lanes = new ArrayList<>();
        for (int spine : List.of(choice.spine(), choice.backup())) {
            if (spines.containsKey(spine)) {
                context.lane(self, spines.get(spine), host.address()).ifPresent(lanes::add);
            }
        }
        return lanes;
    }

    /** The first two usable spines: the placed one and its backup, or those that replace them. */
    private List<Bucket> toPod(Endpoint host) {
        List<Integer> order = context.routing.spines(plane, pod, host.address()).stream().limit(2).toList();
        List<Bucket> buckets = new ArrayList<>();
        for (int spine : order) {
            List<Segment> lanes = context.routing.lanes(self, spines.get(spine), host.address());
            boolean canReturn = context.fastFailover && order.size() > 1 && spine == order.get(0);
            Optional<Action> mark = canReturn
                ? Optional.of(new Action.SetDestinationMac(TurnBackMark.to(ownMark, mark(order.get(1)))))
                : Optional.empty();
            buckets(lanes).forEach(bucket -> buckets.add(mark.map(action -> marked(bucket, action)).orElse(bucket)));
        }
        return buckets.stream().limit(bucketLimit()).toList();
    }

    /**
     * Adds the rules for packets that a spine turned back: they go to the spine that their mark names, or to one of the
     * spines after it. They cannot loop: a switch never outputs a packet by its in-port, and no rule here changes the
     * mark. No packet gets the mark of a spine to which no link may be used: it is down, drained or removed. Its group
     * leads nowhere then, and so changes last: until this leaf and edge switches have changed, packets that have the
     * mark may have no other way.
     */
    private void addTurnedBack() {
        if (!context.fastFailover) {
            return;
        }
        for (int spine : spines.keySet()) {
            List<Integer> order = new ArrayList<>(spines.tailMap(spine).keySet());
            order.addAll(spines.headMap(spine).keySet());
            boolean isMarked = !context.routing.lanes(self, spines.get(spine)).isEmpty();
            int group = groups.id(new GroupKey.Turned(mark(spine)), () -> isMarked ? buckets(order.stream()
                .flatMap(next -> context.routing.lanes(self, spines.get(next)).stream()).toList()) : List.of());
            for (int etherType : context.etherTypes) {
                add(RulePriority.TURNED_BACK, Match.to(TurnBackMark.to(ownMark, mark(spine)), etherType),
                    List.of(new Action.ToGroup(group)));
            }
        }
    }
}
