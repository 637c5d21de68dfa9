package org.daqfabric.impl.engine.compile;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.daqfabric.api.program.Action;
import org.daqfabric.api.program.Match;
import org.daqfabric.api.program.Rule;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * What is the same in the programs of many switches, and in those that follow: which addresses there are, rules for one
 * that do one thing, and the ids of groups that are for one thing. Each is made once.
 */
final class Shared {
    /** Of rules that come and go so many are remembered per address. */
    private static final int REMEMBERED = 32;

    private final List<Host> hosts = new ArrayList<>();
    private final List<List<Rule>> rules = new ArrayList<>();
    private final Map<GroupKey, Integer> ids = new HashMap<>();

    /**
     * An address.
     *
     * @param index its position among all, by address
     * @param ring name of its daqring
     * @param linked ids of the planes to whose leaf its edge switch has a link, up or not
     */
    record Host(int index, Endpoint endpoint, String ring, BitSet linked) {
    }

    Shared(Topology topology) {
        for (Endpoint endpoint : topology.endpoints().values()) {
            BitSet linked = new BitSet();
            topology.planes().stream().filter(plane ->
                !topology.between(endpoint.edge(), topology.leaf(plane, endpoint.pod())).isEmpty()).forEach(linked::set);
            hosts.add(new Host(hosts.size(), endpoint, Daqrings.portName(endpoint.address()), linked));
            rules.add(new ArrayList<>(4));
        }
    }

    /** All addresses in their order. */
    List<Host> hosts() {
        return hosts;
    }

    /** The rule for an address that does one thing. */
    Rule rule(Host host, Action action) {
        List<Rule> made = rules.get(host.index());
        for (Rule rule : made) {
            if (rule.actions().get(0).equals(action)) {
                return rule;
            }
        }
        Match match = made.isEmpty() ? Match.to(host.endpoint().address()) : made.get(0).match();
        Rule rule = new Rule(Compiler.TO_ADDRESS, match, List.of(action));
        if (made.size() == REMEMBERED) {
            made.remove(0);
        }
        made.add(rule);
        return rule;
    }

    /** The number of a group for what it is for, where no other has it. */
    int id(GroupKey key) {
        return ids.computeIfAbsent(key, each -> each.id(0));
    }
}
