package org.daqfabric.impl.engine.compile;

import com.google.common.collect.Sets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.daqfabric.api.program.Action;
import org.daqfabric.api.program.Group.Bucket;
import org.daqfabric.api.program.Match;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.topology.Endpoint;

/** Compiles a spine. */
final class SpineCompiler extends SwitchCompiler {
    /** Links to other leaves that packets in a daqring may take; two fail at once less often than one. */
    private static final int WAYS_ROUND = 2;
    private final int plane;
    /** Whether no link to a leaf can be used, by leaf. */
    private final Map<String, Boolean> cutOff = new HashMap<>();
    /** Daqrings whose packets can only go round by another leaf. */
    private final Set<Integer> roundOnly = new HashSet<>();

    SpineCompiler(CompileContext context, String self, Set<String> present, int plane) {
        super(context, self, present);
        this.plane = plane;
    }

    Program compile() {
        rules.addAll(COMMON_RULES);
        for (RuleInterner.Host host : context.interner.hosts()) {
            if (host.planes().get(plane)) {
                add(host, context.topology.leaf(plane, host.endpoint().pod()));
            }
        }
        Program program = program();
        return roundOnly.isEmpty() ? program
            : new Program(program.rules(), program.groups(), Sets.union(program.unusable(), roundOnly));
    }

    private void add(RuleInterner.Host each, String leaf) {
        Endpoint host = each.endpoint();
        int pod = context.topology.mark(leaf);
        OptionalInt ring = ring(each);
        if (!context.fastFailover) {
            addThroughRing(each, down(leaf, host.address(), lanes -> new GroupKey.ToLeaf(pod, lanes)));
        } else if (ring.isPresent()) {
            if (cutOff.computeIfAbsent(leaf, this::isCutOff)) {
                roundOnly.add(ring.getAsInt());
            }
            add(RulePriority.FROM_RING, Match.from(ring.getAsInt()), List.of(new Action.ToGroup(groups.id(
                new GroupKey.FromRing(pod, lanes(leaf, host)), () -> Stream.concat(
                lanesDown(leaf, host.address()).map(Bucket::out), roundabout(leaf)).toList()))));
            // turns back before the daqring: the in-port of a packet that leaves the daqring is the daqring
            int group = groups.id(new GroupKey.ToRing(host.address()), () -> orBack(
                lanesDown(leaf, host.address()).map(number -> new Bucket(OptionalInt.of(number),
                    OptionalInt.empty(), List.of(new Action.Output(ring.getAsInt()))))));
            add(each, new Action.ToGroup(group));
            if (!context.topology.others().controlTo(host.address()).isEmpty()) {
                addControl(each, List.of(new Action.ToGroup(toLeaf(pod, leaf, host))));
            }
        } else {
            add(each, new Action.ToGroup(toLeaf(pod, leaf, host)));
        }
    }

    private int toLeaf(int pod, String leaf, Endpoint host) {
        return groups.id(new GroupKey.ToLeaf(pod, lanes(leaf, host)), () -> orBack(
            lanesDown(leaf, host.address()).map(Bucket::out)));
    }

    private boolean isCutOff(String leaf) {
        return context.topology.between(leaf, self).stream()
            .allMatch(link -> context.unusable.down().contains(link.id()) || number(link).isEmpty());
    }

    private List<PortId> lanes(String leaf, Endpoint host) {
        return context.parallelLinks ? context.lane(leaf, self, host.address()).stream().toList() : List.of();
    }

    /**
     * What a daqring holds when the last link to its leaf fails goes by another leaf to another spine: with the mark
     * that this leaf would have written, the leaf sends it to the next spine.
     */
    private Stream<Bucket> roundabout(String leaf) {
        SortedMap<Integer, String> spines = context.topology.spines(plane);
        List<String> order = new ArrayList<>(spines.values());
        Collections.rotate(order, -order.indexOf(self) - 1);
        String next = order.get(0);
        return next.equals(self) ? Stream.empty() : context.topology.leaves(plane).values().stream()
            .filter(other -> !other.equals(leaf))
            .flatMap(other -> context.topology.between(other, self).stream().map(this::number)
                .filter(OptionalInt::isPresent).map(number -> marked(Bucket.out(number.getAsInt()), mark(other, next))))
            .limit(WAYS_ROUND);
    }

    private Action mark(String leaf, String spine) {
        return new Action.SetDestinationMac(TurnBackMark.to(context.topology.mark(leaf), context.topology.mark(spine)));
    }

    private List<Bucket> orBack(Stream<Bucket> onward) {
        int back = groups.id(new GroupKey.Back(), () -> List.of(
            new Bucket(OptionalInt.empty(), OptionalInt.empty(), List.of(new Action.OutputInPort()))));
        return Stream.concat(onward, Stream.of(new Bucket(OptionalInt.empty(), OptionalInt.of(back),
            List.of(new Action.OutputInPort())))).toList();
    }
}
