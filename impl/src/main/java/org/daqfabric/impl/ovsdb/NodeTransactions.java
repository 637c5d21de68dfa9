package org.daqfabric.impl.ovsdb;

import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.daqfabric.impl.async.Backoff;
import org.daqfabric.impl.async.Causes;
import org.daqfabric.impl.ovsdb.OvsdbSettings.Timing;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.SystemRow;
import org.eclipse.jdt.annotation.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a node the changes that a plan asks for, at most one transaction at a time, and tries again what was refused.
 * Lives in its node's mailbox.
 */
final class NodeTransactions {
    private static final Logger LOG = LoggerFactory.getLogger(NodeTransactions.class);
    /** Times in a row that a transaction may be overtaken by other changes before that counts as a refusal. */
    private static final int MAX_OVERTAKEN = 5;

    private final Map<String, Refusal> refusals = new TreeMap<>();
    private final DriverContext context;
    private final Timing timing;
    private final Node node;
    private final String systemId;
    /** The connection to send over, and what is known as of it; null if the node is not connected. */
    private @Nullable OvsdbSession session;
    /** Bridges that the transaction in flight is about; empty if there is none. */
    private Set<String> inFlight = Set.of();
    private int overtaken;
    /** Value of next_cfg that our last transaction led to, and until when (nanoseconds) to wait for it. */
    private long expectedCfg;
    private long expectedUntil;
    /** Whether each bridge has a transaction of its own, because one for several was refused. */
    private boolean oneAtATime;

    /** Why changes of one bridge were refused, and when to try again. */
    private record Refusal(String text, Backoff retry, long retryAt) {
    }

    NodeTransactions(DriverContext context, Node node, String systemId) {
        this.context = context;
        this.node = node;
        this.systemId = systemId;
        timing = context.settings().timing();
    }

    void connected(OvsdbSession fresh) {
        session = fresh;
        inFlight = Set.of();
        overtaken = 0;
        expectedCfg = 0;
        expectedUntil = 0;
        refusals.clear();
    }

    void disconnected() {
        session = null;
    }

    /** The bridge is wanted otherwise than before, so it need not be refused again. */
    void forget(String bridge) {
        refusals.remove(bridge);
    }

    void forgetAll() {
        refusals.clear();
    }

    boolean isInFlight(String bridge) {
        return inFlight.contains(bridge);
    }

    /**
     * Whether nothing is in flight, and the row shows our last transaction: else its changes would be planned again.
     */
    boolean isSettled(SystemRow system) {
        return inFlight.isEmpty()
            && (system.nextCfg() >= expectedCfg || System.nanoTime() - expectedUntil > 0);
    }

    /** Why the bridge's changes were last refused; empty if they were not. */
    String refusal(String bridge) {
        Refusal refusal = refusals.get(bridge);
        return refusal == null ? "" : refusal.text;
    }

    /** Sends the changes that are due; call only when settled. */
    void send(SystemRow system, BridgePlan plan, long now) {
        refusals.keySet().retainAll(plan.changes().keySet());
        oneAtATime = oneAtATime && !plan.changes().isEmpty();
        SortedMap<String, List<JsonObject>> due = new TreeMap<>(plan.changes());
        due.keySet().removeIf(name -> refusals.containsKey(name) && refusals.get(name).retryAt - now > 0);
        if (oneAtATime && !due.isEmpty()) {
            due = new TreeMap<>(Map.of(due.firstKey(), due.get(due.firstKey())));
        }
        if (due.isEmpty() || !context.mayChange().getAsBoolean()) {
            return;
        }
        List<JsonObject> operations = new ArrayList<>();
        due.values().forEach(operations::addAll);
        Operations bump = new Operations();
        bump.bump(system.uuid());
        operations.addAll(bump.list());
        Set<String> bridges = Set.copyOf(due.keySet());
        inFlight = bridges;
        OvsdbSession asked = session;
        asked.transact(operations).whenComplete((outcome, failure) -> node.execute(() -> answered(asked, bridges,
            plan, failure == null ? outcome
                : TransactionOutcome.failed("the change was not answered: " + Causes.of(failure).getMessage()))));
    }

    private void answered(OvsdbSession asked, Set<String> bridges, BridgePlan plan, TransactionOutcome outcome) {
        if (asked != session) {
            return;
        }
        inFlight = Set.of();
        if (outcome.error().isEmpty()) {
            LOG.info("Node {}: changed {}", systemId, String.join(", ", new TreeSet<>(bridges)));
            bridges.forEach(bridge -> plan.corrections().getOrDefault(bridge, List.of()).stream()
                .filter(text -> context.shouldLog("corrected " + systemId + " " + text))
                .forEach(text -> LOG.warn("Node {}: {}", systemId, text)));
            overtaken = 0;
            expectedCfg = outcome.nextCfg();
            expectedUntil = System.nanoTime() + timing.answer().toNanos();
            context.later(timing.answer(), node::changed);
            refusals.keySet().removeAll(bridges);
        } else if (outcome.overtaken() && ++overtaken < MAX_OVERTAKEN) {
            LOG.debug("Node {} changed meanwhile; {} planned again", systemId, bridges);
        } else if (bridges.size() > 1) {
            // a refused bridge must not hold up the others
            oneAtATime = true;
        } else {
            bridges.forEach(bridge -> refused(bridge, outcome.error()));
        }
        node.evaluate();
    }

    private void refused(String bridge, String error) {
        Refusal before = refusals.get(bridge);
        Backoff retry = before == null ? new Backoff(timing.retry(), timing.retryMost()) : before.retry.doubled();
        if (before == null || !before.text.equals(error)) {
            LOG.warn("Node {}: bridge {} is not as wanted: {}", systemId, bridge, error);
        }
        refusals.put(bridge, new Refusal(error, retry, System.nanoTime() + retry.pause().toNanos()));
        context.later(retry.pause(), node::changed);
    }
}
