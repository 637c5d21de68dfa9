package org.daqfabric.impl.ovsdb;

import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.api.spec.Switch.OvsdbAddress;
import org.daqfabric.api.state.Finding;
import org.daqfabric.api.state.MarkedBridge;
import org.daqfabric.impl.controller.spi.PortReading;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Cause;
import org.daqfabric.impl.ovsdb.BridgePlan.Desired;
import org.daqfabric.impl.ovsdb.BridgePlan.Problems;
import org.daqfabric.impl.ovsdb.BridgeStatus.Report;
import org.daqfabric.impl.ovsdb.OvsdbSettings.Timing;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.SystemRow;
import org.eclipse.jdt.annotation.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One node, known by its system-id: the bridges it must hold and what is reported of them. After every change of either
 * side it compares its database with the desired bridges, hands the difference to {@link NodeTransactions} and reports.
 * Everything but {@link #changed} and {@link #dialFailed} is called in its mailbox.
 */
final class Node {
    private static final Logger LOG = LoggerFactory.getLogger(Node.class);
    /** How long a node may take to answer a question about its health. */
    private static final long HEALTH_SECONDS = 3;

    private final SortedMap<String, Bridge> desired = new TreeMap<>();
    /** Where to connect to the node, by the bridge whose switch says so. */
    private final SortedMap<String, OvsdbAddress> addresses = new TreeMap<>();
    private final NodeRemovals removals = new NodeRemovals();
    private final NodeMemory memory = new NodeMemory();
    private final PortReopening reopening;
    private final Map<String, Report> reported = new TreeMap<>();
    private final AtomicBoolean evaluationQueued = new AtomicBoolean();
    private final DriverContext context;
    private final Timing timing;
    private final String systemId;
    private final Mailbox mailbox;
    private final SessionArbiter sessions;
    private final NodeTransactions transactions;
    private final RestartWatch restart;
    /** Of those of its bridges that have none yet. */
    private final String serial = BridgeSerials.fresh();
    /** As of this connection. */
    private VswitchdProgress progress;
    /** What the listener was told as of this connection; null if nothing yet. */
    private @Nullable Facts announced;
    private @Nullable Dialler dialler;
    private boolean seen;
    /** Why its last connection ended, or why it cannot be reached. */
    private String lastError = "";
    private long lastRequest = System.nanoTime();
    private long nextRecheck = lastRequest;

    private record Facts(String ovsVersion, SortedSet<String> interfaceTypes) {
    }

    Node(DriverContext context, String systemId) {
        this.context = context;
        this.systemId = systemId;
        timing = context.settings().timing();
        mailbox = new Mailbox(context.threads());
        sessions = new SessionArbiter(context, this, systemId, this::connected);
        transactions = new NodeTransactions(context, this, systemId);
        restart = new RestartWatch(context, this);
        reopening = new PortReopening(() -> context.later(PortReopening.PAUSE, this::changed));
    }

    void execute(Runnable task) {
        mailbox.execute(task);
    }

    /** Whether nothing would be lost if this object were dropped now. */
    boolean isDisposable() {
        return mailbox.isLast() && desired.isEmpty() && removals.isEmpty() && sessions.isEmpty() && dialler == null;
    }

    boolean isNamed(String name) {
        return systemId.equals(name);
    }

    /** The session in use; null if the node is not connected. */
    @Nullable OvsdbSession session() {
        return sessions.current();
    }

    void put(Optional<OvsdbAddress> address, Bridge bridge) {
        context.serials().replaced(desired.put(bridge.name(), bridge), bridge);
        removals.end(new MarkedBridge(systemId, bridge.name(), bridge.fabric()));
        reported.computeIfPresent(bridge.name(), (name, before) -> before.untold());
        transactions.forget(bridge.name());
        lastRequest = System.nanoTime();
        context.later(timing.orphans(), this::changed);
        address.ifPresentOrElse(to -> addresses.put(bridge.name(), to), () -> addresses.remove(bridge.name()));
        dial();
        evaluate();
    }

    /** Deletes the bridge that a fabric made; what another fabric has put or puts under that name stays. */
    void remove(MarkedBridge bridge, Optional<OvsdbAddress> address) {
        Bridge current = desired.get(bridge.bridge());
        if (current != null && current.fabric().equals(bridge.fabric())) {
            context.serials().forget(List.of(desired.remove(bridge.bridge())));
            addresses.remove(bridge.bridge());
            reported.remove(bridge.bridge());
        }
        removals.add(bridge, address);
        dial();
        transactions.forget(bridge.bridge());
        lastRequest = System.nanoTime();
        evaluate();
    }

    void endRemoval(MarkedBridge bridge) {
        removals.end(bridge);
        dial();
    }

    /** Forgets all desired bridges and leaves the node as it is: another member of the cluster takes over. */
    void relinquish() {
        context.serials().forget(desired.values());
        desired.clear();
        addresses.clear();
        removals.clear();
        reported.clear();
        transactions.forgetAll();
        dial();
        evaluate();
    }

    /** How a bridge differs from the desired one; nothing while a change is in flight. */
    List<Finding> compare(String switchName, String bridge) {
        OvsdbSession session = session();
        OvsdbSnapshot snapshot = session == null ? null : session.snapshot();
        SystemRow system = snapshot == null ? null : snapshot.system().orElse(null);
        if (system == null) {
            return List.of(new Finding(switchName, Finding.Kind.BRIDGE, Finding.What.UNREADABLE, "",
                "it is not connected over OVSDB"));
        }
        if (!transactions.isSettled(system)) {
            return List.of();
        }
        BridgePlan plan = BridgePlan.of(snapshot, wanted(session, snapshot, false));
        return BridgeFindings.of(switchName, snapshot, plan.changes().getOrDefault(bridge, List.of()),
            plan.problems().getOrDefault(bridge, Problems.NONE));
    }

    /** Reads a bridge's ports and its own, by name; fails if the node is not connected. */
    CompletionStage<SortedMap<String, PortReading>> readPorts(String bridge) {
        Bridge known = desired.get(bridge);
        if (session() == null || known == null) {
            return CompletableFuture.failedFuture(new IllegalStateException(systemId + " is not connected over OVSDB"));
        }
        return session().readPorts().thenApply(all -> {
            all.keySet().removeIf(port -> !port.equals(bridge) && !known.ports().containsKey(port));
            return all;
        });
    }

    /** Its state at this moment; asks a node that is connected and in a fabric, and waits not long for the answer. */
    CompletionStage<NodeReport> report() {
        OvsdbSession session = session();
        String duplicate = sessions.duplicateAddress();
        if (session == null || isIdle()) { // idle ones may be thousands
            return CompletableFuture.completedFuture(session == null ? NodeReport.disconnected(systemId, seen,
                lastError, duplicate, memory.cause()) : NodeReport.idle(systemId, session, duplicate));
        }
        return session.health().orTimeout(HEALTH_SECONDS, TimeUnit.SECONDS)
            .handle((health, failure) -> NodeReport.connected(systemId, session, health, duplicate));
    }

    /** The fabrics that made its bridges, by name of the bridge; empty if its database is not known. */
    Optional<SortedMap<String, String>> marks() {
        OvsdbSession session = session();
        return session == null || announced == null ? Optional.empty()
            : Optional.ofNullable(session.snapshot()).map(OvsdbSnapshot::marks);
    }

    void close() {
        if (dialler != null) {
            dialler.stop();
        }
    }

    /** A peer has named this system-id. */
    void offer(OvsdbSession fresh) {
        sessions.offer(fresh);
    }

    private void connected(OvsdbSession fresh) {
        seen = true;
        announced = null;
        progress = new VswitchdProgress(timing.apply(), () -> context.later(timing.apply(), this::changed));
        transactions.connected(fresh);
        reopening.connected();
        reported.clear();
        fresh.connection().identified(); // before its rows, which may be many: peers that are not wanted wait
        context.places().wanted(fresh.connection(), !desired.isEmpty());
        fresh.monitor(this::changed);
    }

    /** A connection that was offered has ended. */
    void ended(OvsdbSession old, String reason) {
        if (!sessions.ended(old)) {
            return;
        }
        transactions.disconnected();
        memory.ended(old.snapshot(), systemId);
        lastError = memory.cause().map(Cause::what).orElse(reason);
        memory.lost(old.snapshot(), desired.values(), reported).forEach(this::report);
        if (announced != null) {
            logConnection("left", old, "Node {} at {} disconnected: {}", systemId, old.connection().remote(),
                lastError);
            context.listener().nodeDisconnected(systemId);
        } else {
            logConnection("went", old, "Node {} at {} disconnected before its database was read: {}", systemId,
                old.connection().remote(), reason);
        }
        sessions.useCandidate();
    }

    /** Connecting to the node failed, or led to another one; called from any thread. */
    void dialFailed(Dialler from, String why) {
        execute(() -> {
            if (from != dialler || session() != null) {
                return;
            }
            lastError = why;
            if (context.shouldLog("dial " + systemId + " " + why)) {
                LOG.info("Node {}: {}", systemId, why);
            }
            for (String bridge : desired.keySet()) {
                report(bridge, Report.failed(why));
            }
        });
    }

    /** The snapshot may have changed, or something is due; called from any thread. */
    void changed() {
        if (evaluationQueued.compareAndSet(false, true)) {
            execute(() -> {
                evaluationQueued.set(false);
                evaluate();
            });
        }
    }

    /** Logs that a node connects or disconnects; of nodes in no fabric, which may be many, one from each address. */
    private void logConnection(String event, OvsdbSession of, String text, Object... arguments) {
        if (!isIdle() || context.shouldLog(of.connection().remote(), event)) {
            LOG.info(text, arguments);
        }
    }

    /**
     * Connects to the node where one of its bridges says, or if it has none, one that is still to be removed. An
     * address in use stays as long as any says it.
     */
    private void dial() {
        Collection<OvsdbAddress> known = addresses.isEmpty() ? removals.addresses() : addresses.values();
        if (dialler == null ? known.isEmpty() : known.contains(dialler.address())) {
            return;
        }
        if (dialler != null) {
            dialler.stop();
        }
        dialler = known.stream().findFirst().map(to -> new Dialler(context, this, to)).orElse(null);
        if (dialler != null) {
            dialler.start();
        }
    }

    /** Compares the node with what it must hold, and acts on the difference. */
    void evaluate() {
        OvsdbSession session = session();
        if (session == null) {
            return;
        }
        context.places().wanted(session.connection(), !desired.isEmpty());
        OvsdbSnapshot snapshot = session.snapshot();
        if (snapshot == null || session.connection().isClosed()) {
            return;
        }
        SystemRow system = snapshot.system().orElse(null);
        if (system == null || !system.systemId().equals(systemId)) {
            session.connection().close("its system-id became '" + (system == null ? "" : system.systemId()) + "'");
            return;
        }
        context.serials().observeOthers(desired.values(), snapshot.others(context.installation().get()).keySet());
        announce(session, system);
        if (transactions.isSettled(system)) {
            act(session, snapshot, system);
        }
    }

    private void announce(OvsdbSession session, SystemRow system) {
        Facts facts = new Facts(system.ovsVersion(), system.interfaceTypes());
        if (facts.equals(announced)) {
            return;
        }
        if (announced == null) {
            logConnection("came", session, "Node {} connected {} {}{}", systemId, session.isDialled() ? "at" : "from",
                session.connection().remote(), facts.ovsVersion.isEmpty() ? "" : ", Open vSwitch " + facts.ovsVersion);
            context.later(timing.orphans(), this::changed);
        }
        announced = facts;
        context.listener().nodeConnected(systemId, facts.ovsVersion, facts.interfaceTypes);
    }

    private void act(OvsdbSession session, OvsdbSnapshot snapshot, SystemRow system) {
        long now = System.nanoTime();
        boolean removeOrphans = now - lastRequest >= timing.orphans().toNanos() && !isRequestExpected();
        memory.observe(session, context, snapshot, desired);
        reopening.observe(snapshot, desired.values(), now);
        BridgePlan plan = BridgePlan.of(snapshot, wanted(session, snapshot, removeOrphans));
        removals.endAbsent(snapshot).forEach(context.listener()::bridgeGone);
        if (removeOrphans) {
            logOrphans(session.connection().remote(), plan.orphans(), snapshot);
        }
        transactions.send(system, plan, now);
        progress.observe(system, now);
        restart.observe(session, system, now);
        context.serials().observe(desired.values(), snapshot, !progress.isBehind());
        if (!progress.isWorthWaitingFor(now)) {
            report(snapshot, plan, now);
        }
        dial();
    }

    private Desired wanted(OvsdbSession session, OvsdbSnapshot snapshot, boolean removeOrphans) {
        Map<String, String> owners = new TreeMap<>();
        for (String bridge : snapshot.marks().keySet()) {
            if (!desired.containsKey(bridge)) {
                context.listener().fabricOf(systemId, bridge).ifPresent(fabric -> owners.put(bridge, fabric));
            }
        }
        return new Desired(reopening.open(desired), removals.fabrics(), removeOrphans, owners,
            ControllerTargets.of(context.settings(), memory.way(session, context), snapshot), serial,
            memory.known(desired.values(), context.serials(), context.installation().get()));
    }

    private void report(OvsdbSnapshot snapshot, BridgePlan plan, long now) {
        for (Bridge bridge : desired.values()) {
            if (!transactions.isInFlight(bridge.name())) {
                report(bridge.name(), BridgeStatus.of(snapshot, bridge,
                    plan.problems().getOrDefault(bridge.name(), Problems.NONE), trouble(snapshot, bridge, now),
                    !progress.isBehind()));
            }
        }
    }

    private void report(String bridge, Report report) {
        report.tell(context.listener(), systemId, bridge, reported.put(bridge, report));
    }

    private String trouble(OvsdbSnapshot snapshot, Bridge bridge, long now) {
        String refusal = transactions.refusal(bridge.name());
        if (!refusal.isEmpty()) {
            return refusal;
        }
        String restartNeeded = NodeConfig.trouble(snapshot, bridge);
        return !restartNeeded.isEmpty() || !progress.isStalled(now) ? restartNeeded : "ovs-vswitchd has not taken up"
            + " the last change for " + timing.apply().toSeconds() + " s: see whether it runs on the node";
    }

    private boolean isIdle() {
        return desired.isEmpty() && removals.isEmpty();
    }

    /** Whether the node is in no fabric only because its fabric's configuration has not been read yet. */
    private boolean isRequestExpected() {
        boolean expected = isIdle() && context.listener().isExpected(systemId);
        if (expected && System.nanoTime() - nextRecheck >= 0) {
            nextRecheck = System.nanoTime() + timing.orphans().toNanos();
            context.later(timing.orphans(), this::changed);
        }
        return expected;
    }

    private void logOrphans(InetSocketAddress at, SortedSet<String> orphans, OvsdbSnapshot snapshot) {
        OrphanLog.log(context, systemId, at, orphans, snapshot);
        if (isIdle() && context.shouldLog(at, "idle")) {
            LOG.info("Node {} is in no fabric: to use it give a switch the system-id {}", systemId, systemId);
        }
    }
}
