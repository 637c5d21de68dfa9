package org.daqfabric.impl.engine.compile;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.PortNumbers;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.program.Program;
import org.daqfabric.impl.engine.topology.Role;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * Compiles a placement into the rules and groups of each switch, according to the table in section "Forwarding" of
 * docs/design.md. Rules depend on the placement only, the content of groups also on which links are unusable. Every
 * spine and leaf of every plane that could carry an address has rules for it, so that a packet finds a rule at every
 * switch while its path changes.
 *
 * <p>Several switches may be compiled at the same time, in any order, with the same result. Compiled leaves are kept
 * for the {@link #next} compiler.
 */
public final class Compiler {
    private final CompileContext context;
    private final Map<String, CompiledLeaf> leaves = Collections.synchronizedMap(new HashMap<>());

    public Compiler(Topology topology, UnusableLinks unusable, Placement placement, PortNumbers numbers) {
        this(new CompileContext(topology, unusable, placement, numbers));
    }

    private Compiler(CompileContext context) {
        this.context = context;
    }

    /** The compiler after a change. While the topology is the same object it reuses what this one compiled. */
    public Compiler next(Topology topology, UnusableLinks unusable, Placement placement, PortNumbers numbers) {
        if (topology != context.topology) {
            return new Compiler(topology, unusable, placement, numbers);
        }
        Compiler next = new Compiler(context.next(unusable, placement, numbers));
        Set<String> stale = ChangedSwitches.byLinks(context, next.context);
        leaves.forEach((name, leaf) -> next.leaves.put(name, stale.contains(name) ? leaf.withStaleGroups() : leaf));
        return next;
    }

    /**
     * The switches whose programs may differ from those that an earlier compiler made.
     *
     * @param present by switch, names of the ports it had and of those it has
     */
    public Set<String> changedSince(Compiler before, Map<String, Set<String>> present) {
        return ChangedSwitches.between(before.context, context, present);
    }

    /** The program of one switch, as if it had none before. */
    public Program compile(String switchName, Set<String> present) {
        return compile(switchName, present, Program.EMPTY);
    }

    /**
     * The program of one switch.
     *
     * @param present names of the ports and daqrings the switch has; the program refers to no other
     * @param before the program it had; rules and groups that stay the same are the same objects
     */
    public Program compile(String switchName, Set<String> present, Program before) {
        return switch (context.topology.roles().get(switchName)) {
            case Role.OfSpine spine ->
                new SpineCompiler(context, switchName, present, spine.plane()).compile().sharing(before);
            case Role.OfLeaf leaf -> compile(new LeafCompiler(context, switchName, present, leaf), before);
            case Role.Spare unused -> Program.EMPTY;
            case null -> Program.EMPTY;
            case Role edge -> new EdgeCompiler(context, switchName, present, edge).compile(before).sharing(before);
        };
    }

    private Program compile(LeafCompiler compiler, Program before) {
        Program program = compiler.compile(leaves.get(compiler.self)).sharing(before);
        if (!context.parallelLinks) {
            leaves.put(compiler.self, compiler.compiled(program));
        }
        return program;
    }
}
