package org.daqfabric.impl.engine.compile;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.daqfabric.api.placement.SpineChoice;
import org.daqfabric.api.program.Action;
import org.daqfabric.api.program.Match;
import org.daqfabric.api.program.Rule;
import org.daqfabric.api.spec.Pod;
import org.daqfabric.impl.engine.topology.Endpoint;
import org.daqfabric.impl.engine.topology.Topology;

/**
 * What is the same in the programs of many switches, and in those that follow: which addresses there are, rules for one
 * that do one thing, and the ids of groups that are for one thing. Each is made once. Thread-safe.
 */
final class RuleInterner {
    /** Of rules that come and go so many are remembered per address. */
    private static final int REMEMBERED = 32;

    private final List<Host> hosts = new ArrayList<>();
    private final List<Map<Action, Rule>> rules = new ArrayList<>();
    private final Map<SpineChoice, Integer> choices = new HashMap<>();
    private final Map<GroupKey, Integer> ids = Collections.synchronizedMap(new HashMap<>());

    /**
     * An address.
     *
     * @param index its position among all, by address
     * @param podAt the position of its pod among all, by id
     * @param ring name of its daqring
     * @param linked ids of the planes to whose leaf its edge switch has a link, up or not
     */
    record Host(int index, int podAt, Endpoint endpoint, String ring, BitSet linked) {
    }

    RuleInterner(Topology topology) {
        List<Integer> pods = topology.spec().pods().stream().map(Pod::id).sorted().toList();
        for (Endpoint endpoint : topology.endpoints().values()) {
            BitSet linked = new BitSet();
            topology.planes().stream().filter(plane ->
                !topology.between(endpoint.edge(), topology.leaf(plane, endpoint.pod())).isEmpty()).forEach(linked::set);
            hosts.add(new Host(hosts.size(), pods.indexOf(endpoint.pod()), endpoint,
                Daqrings.portName(endpoint.address()), linked));
            rules.add(new LinkedHashMap<>());
        }
    }

    /** All addresses in their order. */
    List<Host> hosts() {
        return hosts;
    }

    /** The rule for an address that does one thing. */
    Rule rule(Host host, Action action) {
        Map<Action, Rule> made = rules.get(host.index());
        synchronized (made) {
            Rule known = made.get(action);
            if (known != null) {
                return known;
            }
            Iterator<Rule> others = made.values().iterator();
            Match match = others.hasNext() ? others.next().match() : Match.to(host.endpoint().address());
            if (made.size() == REMEMBERED) {
                others.remove();
            }
            Rule rule = new Rule(Compiler.TO_ADDRESS, match, List.of(action));
            made.put(action, rule);
            return rule;
        }
    }

    /** A small number for a choice, from 0: always the same. */
    synchronized int number(SpineChoice choice) {
        return choices.computeIfAbsent(choice, any -> choices.size());
    }

    /** Above all numbers of choices. */
    synchronized int choices() {
        return choices.size();
    }

    /** The number of a group for what it is for, where no other has it. */
    int id(GroupKey key) {
        return ids.computeIfAbsent(key, each -> each.id(0));
    }
}
