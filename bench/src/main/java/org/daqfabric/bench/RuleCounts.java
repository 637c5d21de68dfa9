package org.daqfabric.bench;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.daqfabric.api.placement.Placement;
import org.daqfabric.api.placement.UnusableLinks;
import org.daqfabric.api.program.Message;
import org.daqfabric.api.program.Program;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.impl.engine.compile.Compiler;
import org.daqfabric.impl.engine.diff.Applied;
import org.daqfabric.impl.engine.diff.Diff;
import org.daqfabric.impl.engine.diff.Stage;
import org.daqfabric.impl.engine.topology.Role;

/**
 * How many rules switches hold with a rule per DCM and with rules to prefixes, and how many messages a repair takes: what
 * a failure does to groups, then the placement that follows it. The same on every machine.
 */
public final class RuleCounts {
    private RuleCounts() {
    }

    /** Prints a table in Markdown; fabrics may be named. */
    public static void main(String[] names) {
        System.out.println("| | rules per ROS switch | rules in all | link | rack uplink | leaf | plane |");
        System.out.println("|---|---|---|---|---|---|---|");
        for (String name : names.length > 0 ? List.of(names) : List.of("prototype", "fig64", "atlas", "lhcb")) {
            print(name + ", host", Case.of(name));
            print(name + ", compressed", Case.compressed(name));
        }
    }

    private static void print(String name, Case of) {
        Compiler compiler = compiler(of, UnusableLinks.ALL_UP, of.placement);
        int most = 0;
        int all = 0;
        for (String switchName : of.topology.roles().keySet()) {
            int rules = compiler.compile(switchName, of.numbers.of(switchName).keySet()).rules().size();
            most = of.topology.roles().get(switchName) instanceof Role.OfRos ? Math.max(most, rules) : most;
            all += rules;
        }
        String rack = of.topology.dcms().get(0).edge();
        int plane = of.placement.routes().get(of.topology.dcms().get(0).address()).planes().get(0);
        String leaf = of.topology.leaf(plane, of.topology.podOf(rack));
        UnusableLinks uplink = new UnusableLinks(Set.of(of.topology.between(rack, leaf).get(0).id()));
        System.out.printf("| %s | %d | %d | %s | %s | %s | %s |%n", name, most, all, repair(of, of.linkDown()),
            repair(of, uplink), repair(of, down(of, Stream.of(leaf))), repair(of, down(of, Stream.concat(
                of.topology.spines(plane).values().stream(),
                of.topology.spec().pods().stream().map(pod -> of.topology.leaf(plane, pod.id()))))));
    }

    private static UnusableLinks down(Case of, Stream<String> switches) {
        Set<PortId> links = new HashSet<>();
        switches.forEach(name -> of.topology.segments(name).forEach(segment -> links.add(segment.id())));
        return new UnusableLinks(links);
    }

    private static Compiler compiler(Case of, UnusableLinks view, Placement placement) {
        return new Compiler(of.topology, view, placement, of.numbers);
    }

    /** Messages to all switches, of those to switches of ROS, and the longest row of batches of one switch. */
    private static String repair(Case of, UnusableLinks view) {
        Compiler before = compiler(of, UnusableLinks.ALL_UP, of.placement);
        Compiler round = compiler(of, view, of.placement);
        Compiler after = compiler(of, view, of.repaired(view));
        int all = 0;
        int atRos = 0;
        int batches = 0;
        for (String name : of.topology.roles().keySet()) {
            Set<String> ports = of.numbers.of(name).keySet();
            Sent sent = new Sent(before.compile(name, ports), 0, 0).to(round.compile(name, ports))
                .to(after.compile(name, ports));
            all += sent.messages;
            atRos += of.topology.roles().get(name) instanceof Role.OfRos ? sent.messages : 0;
            batches = Math.max(batches, sent.batches);
        }
        return all + ", " + atRos + " at ROS, " + batches + " rounds";
    }

    private record Sent(Program held, int messages, int batches) {
        Sent to(Program target) {
            Sent sent = this;
            for (Stage stage : Stage.values()) {
                List<Message> next = Diff.next(sent.held, target, stage);
                while (!next.isEmpty()) {
                    sent = new Sent(Applied.to(sent.held, next), sent.messages + next.size(), sent.batches + 1);
                    next = Diff.next(sent.held, target, stage);
                }
            }
            return sent;
        }
    }
}
