package org.daqfabric.impl.engine.compile;

import com.google.errorprone.annotations.concurrent.GuardedBy;
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
 * Interns what the programs of many switches, and programs that follow each other, have in common: equal rules for an
 * address are one object, and group ids and spine choices are computed once. Lives as long as the topology.
 * Thread-safe.
 */
final class RuleInterner {
    /** Rules kept per address; the oldest leaves first. */
    private static final int RULES_PER_ADDRESS = 32;

    private final List<Host> hosts = new ArrayList<>();
    /** By the index of the address; each map is guarded by itself, in the order of insertion. */
    private final List<Map<Action, Rule>> rules = new ArrayList<>();
    @GuardedBy("this")
    private final Map<SpineChoice, Integer> spineChoices = new HashMap<>();
    private final Map<GroupKey, Integer> ids = Collections.synchronizedMap(new HashMap<>());

    /**
     * An address.
     *
     * @param index its position among all addresses, by address
     * @param podIndex the position of its pod among all pods, by id
     * @param text the address as text
     * @param planes ids of the planes to whose leaf its edge switch has a link, usable or not
     */
    record Host(int index, int podIndex, Endpoint endpoint, String text, BitSet planes) {
    }

    RuleInterner(Topology topology) {
        List<Integer> pods = topology.spec().pods().stream().map(Pod::id).sorted().toList();
        for (Endpoint endpoint : topology.addresses().values()) {
            BitSet planes = new BitSet();
            topology.planes().stream().filter(plane ->
                !topology.between(endpoint.edge(), topology.leaf(plane, endpoint.pod())).isEmpty())
                    .forEach(planes::set);
            hosts.add(new Host(hosts.size(), pods.indexOf(endpoint.pod()), endpoint,
                endpoint.address().toString(), planes));
            rules.add(new LinkedHashMap<>());
        }
    }

    /** All addresses in their order. */
    List<Host> hosts() {
        return hosts;
    }

    /** The rule that does one thing with packets to an address. */
    Rule rule(Host host, Action action) {
        Map<Action, Rule> known = rules.get(host.index());
        synchronized (known) {
            Rule same = known.get(action);
            if (same != null) {
                return same;
            }
            Iterator<Rule> oldest = known.values().iterator();
            Match match = oldest.hasNext() ? oldest.next().match() : Match.to(host.endpoint().address());
            if (known.size() == RULES_PER_ADDRESS) {
                oldest.remove();
            }
            Rule rule = new Rule(RulePriority.TO_ADDRESS, match, List.of(action));
            known.put(action, rule);
            return rule;
        }
    }

    /** The number of a spine choice: from 0, and always the same for the same choice. */
    synchronized int number(SpineChoice choice) {
        return spineChoices.computeIfAbsent(choice, any -> spineChoices.size());
    }

    /** How many spine choices have a number. */
    synchronized int spineChoices() {
        return spineChoices.size();
    }

    /** The id of a group in switches where no other group has it. */
    int id(GroupKey key) {
        return ids.computeIfAbsent(key, each -> each.id(0));
    }
}
