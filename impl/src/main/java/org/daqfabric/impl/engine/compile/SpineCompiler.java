package org.daqfabric.impl.engine.compile;

import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import org.daqfabric.api.program.Action;
import org.daqfabric.api.program.Group.Bucket;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.topology.Endpoint;

/** Compiles a spine. */
final class SpineCompiler extends SwitchCompiler {
    private final int plane;

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
        return program();
    }

    private void add(RuleInterner.Host each, String leaf) {
        Endpoint host = each.endpoint();
        int pod = context.topology.mark(leaf);
        OptionalInt ring = ring(each);
        if (!context.fastFailover) {
            addThroughRing(each, down(leaf, host.address(), lanes -> new GroupKey.ToLeaf(pod, lanes)));
        } else if (ring.isPresent()) {
            addThroughRing(each, down(leaf, host.address(), lanes -> new GroupKey.FromRing(pod, lanes)));
            // turns back before the daqring: the in-port of a packet that leaves the daqring is the daqring
            int group = groups.id(new GroupKey.ToRing(host.address()), () -> orBack(
                lanesDown(leaf, host.address()).map(number -> new Bucket(OptionalInt.of(number),
                    OptionalInt.empty(), List.of(new Action.Output(ring.getAsInt()))))));
            add(each, new Action.ToGroup(group));
        } else {
            List<PortId> lanes = context.parallelLinks
                ? context.lane(leaf, self, host.address()).stream().toList() : List.of();
            int group = groups.id(new GroupKey.ToLeaf(pod, lanes), () -> orBack(
                lanesDown(leaf, host.address()).map(Bucket::out)));
            add(each, new Action.ToGroup(group));
        }
    }

    private List<Bucket> orBack(Stream<Bucket> onward) {
        int back = groups.id(new GroupKey.Back(), () -> List.of(
            new Bucket(OptionalInt.empty(), OptionalInt.empty(), List.of(new Action.OutputInPort()))));
        return Stream.concat(onward, Stream.of(new Bucket(OptionalInt.empty(), OptionalInt.of(back),
            List.of(new Action.OutputInPort())))).toList();
    }
}
