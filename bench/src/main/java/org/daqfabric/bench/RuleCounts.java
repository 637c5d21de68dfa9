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
 * Number of rules in switches with a rule per DCM and with rules to prefixes, and number of messages of a repair: first
 * those that change groups, then those for the new placement. The numbers are the same on every machine.
 */
public final class RuleCounts {
    private RuleCounts() {
    }

    /** Prints a table in Markdown for the fabrics named, or for all. */
    public static void main(String[] names) {
        System.out.println("| | rules per ROS switch | rules in all | link | rack uplink | leaf | plane |");
        System.out.println("|---|---|---|---|---|---|---|");
        for (String name : names.length > 0 ? List.of(names) : List.of("prototype", "fig64", "atlas", "lhcb")) {
            print(name + ", host", Case.of(name));
            print(name + ", compressed", Case.compressed(name));
        }
    }

    private static void print(String name, Case subject) {
        Compiler compiler = compiler(subject, UnusableLinks.ALL_UP, subject.placement);
        int most = 0;
        int all = 0;
        for (String switchName : subject.topology.roles().keySet()) {
            int rules = compiler.compile(switchName, subject.numbers.of(switchName).keySet()).rules().size();
            most = subject.topology.roles().get(switchName) instanceof Role.OfRos ? Math.max(most, rules) : most;
            all += rules;
        }
        String rack = subject.topology.dcms().get(0).edge();
        int plane = subject.placement.routes().get(subject.topology.dcms().get(0).address()).planes().get(0);
        String leaf = subject.topology.leaf(plane, subject.topology.podOf(rack));
        UnusableLinks uplink = new UnusableLinks(Set.of(subject.topology.between(rack, leaf).get(0).id()));
        System.out.printf("| %s | %d | %d | %s | %s | %s | %s |%n", name, most, all,
            repair(subject, subject.linkDown()), repair(subject, uplink),
            repair(subject, down(subject, Stream.of(leaf))), repair(subject, down(subject, Stream.concat(
                subject.topology.spines(plane).values().stream(),
                subject.topology.spec().pods().stream().map(pod -> subject.topology.leaf(plane, pod.id()))))));
    }

    private static UnusableLinks down(Case subject, Stream<String> switches) {
        Set<PortId> links = new HashSet<>();
        switches.forEach(name -> subject.topology.segments(name).forEach(segment -> links.add(segment.id())));
        return new UnusableLinks(links);
    }

    private static Compiler compiler(Case subject, UnusableLinks unusable, Placement placement) {
        return new Compiler(subject.topology, unusable, placement, subject.numbers);
    }

    /** Messages to all switches, those of them to switches of ROS, and the most batches of one switch. */
    private static String repair(Case subject, UnusableLinks unusable) {
        Compiler before = compiler(subject, UnusableLinks.ALL_UP, subject.placement);
        Compiler bypassing = compiler(subject, unusable, subject.placement);
        Compiler after = compiler(subject, unusable, subject.repaired(unusable));
        int all = 0;
        int atRos = 0;
        int batches = 0;
        for (String name : subject.topology.roles().keySet()) {
            Set<String> ports = subject.numbers.of(name).keySet();
            Sent sent = new Sent(before.compile(name, ports), 0, 0).to(bypassing.compile(name, ports))
                .to(after.compile(name, ports));
            all += sent.messages;
            atRos += subject.topology.roles().get(name) instanceof Role.OfRos ? sent.messages : 0;
            batches = Math.max(batches, sent.batches);
        }
        return all + ", " + atRos + " at ROS, " + batches + " rounds";
    }

    private record Sent(Program installed, int messages, int batches) {
        Sent to(Program desired) {
            Sent sent = this;
            for (Stage stage : Stage.values()) {
                List<Message> next = Diff.next(sent.installed, desired, stage);
                while (!next.isEmpty()) {
                    sent = new Sent(Applied.to(sent.installed, next), sent.messages + next.size(), sent.batches + 1);
                    next = Diff.next(sent.installed, desired, stage);
                }
            }
            return sent;
        }
    }
}
