package org.daqfabric.impl.ovsdb;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.api.spec.Switch.OvsdbAddress;
import org.daqfabric.api.state.Finding;
import org.daqfabric.impl.async.Backoff;
import org.daqfabric.impl.async.Causes;
import org.daqfabric.impl.ovsdb.BridgePlan.Problems;
import org.daqfabric.impl.ovsdb.BridgePlan.Wanted;
import org.daqfabric.impl.ovsdb.BridgeStatus.Report;
import org.daqfabric.impl.ovsdb.OvsdbSettings.Timing;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.BridgeRow;
import org.daqfabric.impl.ovsdb.OvsdbSnapshot.SystemRow;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One system-id: what is wanted of it, its connection if it has one, and the work from the one to the other. At most
 * one transaction is under way. All but {@link #changed} and {@link #dialFailed} is called in its mailbox.
 */
final class Node {
    private static final Logger LOG = LoggerFactory.getLogger(Node.class);
    /** Times in a row that a transaction may be overtaken by other changes before that counts as a failure. */
    private static final int OVERTAKEN = 5;
    /** How long a node that is asked how it is may take. */
    private static final long EXAMINE_SECONDS = 3;

    private final SortedMap<String, Bridge> wanted = new TreeMap<>();
    private final SortedSet<String> unwanted = new TreeSet<>();
    private final Map<String, Report> reported = new TreeMap<>();
    private final Map<String, Failure> failures = new TreeMap<>();
    private final AtomicBoolean evaluating = new AtomicBoolean();
    private final DriverContext surroundings;
    private final Timing timing;
    private final String systemId;
    private final Mailbox mailbox;
    private Dialler dialler;
    private OvsdbSession session;
    /** Says it is this node while {@link #session} still stands; waits for that one's sign of life. */
    private OvsdbSession candidate;
    /** Whether it was ever connected, why its last connection ended, and who else says it is this node. */
    private boolean seen;
    private String trouble = "";
    private String rival = "";
    private long lastWish = System.nanoTime();
    private long askAgain = lastWish;
    private Progress progress = new Progress();
    private boolean alone;

    /** Why changes of one bridge were refused, and when to try again. */
    private record Failure(String text, Backoff retry, long retryAt) {
    }

    /** What is known of the node as of this connection. */
    private static final class Progress {
        private Facts facts;
        private Set<String> underWay = Set.of();
        private int overtaken;
        /** Value of next_cfg that our last transaction led to. */
        private long expectedCfg;
        private long expectedUntil;
        private long laggingCfg;
        private long laggingSince;
        private long heldSince;
        private boolean lagging;
    }

    private record Facts(String ovsVersion, SortedSet<String> interfaceTypes) {
    }

    Node(DriverContext surroundings, String systemId) {
        this.surroundings = surroundings;
        this.systemId = systemId;
        timing = surroundings.settings().timing();
        mailbox = new Mailbox(surroundings.threads());
    }

    void execute(Runnable task) {
        mailbox.execute(task);
    }

    /** Whether nothing would be lost if this object were dropped now. */
    boolean isDisposable() {
        return mailbox.isLast() && wanted.isEmpty() && unwanted.isEmpty() && session == null && candidate == null
            && dialler == null;
    }

    boolean isNamed(String name) {
        return systemId.equals(name);
    }

    OvsdbSession session() {
        return session;
    }

    void put(Optional<OvsdbAddress> address, Bridge bridge) {
        wanted.put(bridge.name(), bridge);
        unwanted.remove(bridge.name());
        reported.remove(bridge.name());
        failures.remove(bridge.name());
        lastWish = System.nanoTime();
        surroundings.later(timing.orphans(), this::changed);
        dial(address);
        evaluate();
    }

    void remove(String bridge) {
        wanted.remove(bridge);
        unwanted.add(bridge);
        reported.remove(bridge);
        failures.remove(bridge);
        lastWish = System.nanoTime();
        evaluate();
    }

    /** Wants nothing any more and leaves what there is: another member of the cluster has its wishes. */
    void leave() {
        wanted.clear();
        unwanted.clear();
        reported.clear();
        failures.clear();
        rest();
        evaluate();
    }

    /** In what a bridge differs from what is wanted, if nothing is on its way. */
    List<Finding> compare(String switchName, String bridge) {
        OvsdbSnapshot picture = session == null ? null : session.picture();
        SystemRow system = picture == null ? null : picture.system().orElse(null);
        if (system == null) {
            return List.of(new Finding(switchName, Finding.Kind.BRIDGE, Finding.What.UNREADABLE, "",
                "it is not connected over OVSDB"));
        }
        if (!progress.underWay.isEmpty() || !isCaughtUp(system)) {
            return List.of();
        }
        BridgePlan plan = BridgePlan.of(picture, new Wanted(wanted, unwanted, false, targets(session, picture)));
        return BridgeFindings.of(switchName, picture, plan.changes().getOrDefault(bridge, List.of()),
            plan.problems().getOrDefault(bridge, Problems.NONE));
    }

    /** The statistics of a bridge's ports by name; fails if the node is not connected. */
    CompletionStage<Map<String, Map<String, Long>>> statistics(String bridge) {
        Bridge of = wanted.get(bridge);
        if (session == null || of == null) {
            return CompletableFuture.failedFuture(new IllegalStateException(systemId + " is not connected over OVSDB"));
        }
        return session.statistics().thenApply(all -> {
            all.keySet().retainAll(of.ports().keySet());
            return all;
        });
    }

    /** How it is; asks the node, if it is connected, and does not wait long for it. */
    CompletionStage<NodeReport> examine() {
        OvsdbSession current = session;
        if (current == null) {
            return CompletableFuture.completedFuture(away());
        }
        return current.health().orTimeout(EXAMINE_SECONDS, TimeUnit.SECONDS)
            .handle((health, failure) -> connected(current, health));
    }

    private NodeReport away() {
        return new NodeReport(new org.daqfabric.impl.engine.doctor.DiagnosisInput.Node(systemId, false, false, seen, "", "",
            false, trouble, rival, "", Set.of(), List.of()), Collections.emptySortedMap());
    }

    private NodeReport connected(OvsdbSession of, ConnectionHealth health) {
        InetAddress own = of.connection().localAddress();
        Optional<SystemRow> system = Optional.ofNullable(of.picture()).flatMap(OvsdbSnapshot::system);
        return new NodeReport(new org.daqfabric.impl.engine.doctor.DiagnosisInput.Node(systemId, true, health == null, true,
            of.connection().remote().getAddress().getHostAddress(), own.getHostAddress(), own.isLoopbackAddress(), "",
            rival, system.map(SystemRow::ovsVersion).orElse(""),
            system.map(SystemRow::interfaceTypes).orElse(Collections.emptySortedSet()),
            health == null ? List.of() : health.controllers()),
            health == null ? Collections.emptySortedMap() : health.bfd());
    }

    void close() {
        if (dialler != null) {
            dialler.stop();
        }
    }

    /** A connection came that says it is this node. */
    void offer(OvsdbSession fresh) {
        if (fresh.connection().isClosed()) {
            return;
        }
        if (session == null) {
            adopt(fresh);
            return;
        }
        if (candidate != null) {
            candidate.connection().close("a newer connection with its system-id came");
        }
        candidate = fresh;
        OvsdbSession old = session;
        old.connection().call("echo", new JsonArray()).thenRun(() -> execute(() -> decide(old, fresh, true)));
        surroundings.later(timing.duplicate(), () -> execute(() -> decide(old, fresh, false)));
    }

    private void decide(OvsdbSession old, OvsdbSession fresh, boolean alive) {
        if (candidate != fresh || session != old) {
            return;
        }
        if (!alive) {
            // its end makes the candidate's beginning
            old.connection().close("silent, and the node has connected anew");
            return;
        }
        candidate = null;
        rival = fresh.connection().remote().getAddress().getHostAddress();
        if (surroundings.isNew("duplicate " + systemId + " " + rival)) {
            if (fresh.identity().systemUuid().equals(old.identity().systemUuid())) {
                LOG.warn("Node {} connected from {} besides its connection from {}: one is enough. If it has several"
                    + " managers that lead to this controller leave one; if its database is a copy of another node's,"
                    + " make a new one", systemId, fresh.connection().remote(), old.connection().remote());
            } else {
                LOG.warn("The node at {} says it is {}, but that is the node at {}: give each node a system-id of its"
                    + " own with ovs-vsctl set Open_vSwitch . external_ids:system-id=NAME",
                    fresh.connection().remote(), systemId, old.connection().remote());
            }
        }
        fresh.connection().close("its system-id is in use by another connection");
    }

    private void adopt(OvsdbSession fresh) {
        session = fresh;
        seen = true;
        rival = "";
        progress = new Progress();
        failures.clear();
        reported.clear();
        fresh.connection().identified();
        fresh.monitor(this::changed);
    }

    /** A connection that was offered has ended. */
    void ended(OvsdbSession old, String reason) {
        if (old == candidate) {
            candidate = null;
        }
        if (old != session) {
            return;
        }
        session = null;
        trouble = reason;
        if (progress.facts != null) {
            say("left", old, "Node {} at {} disconnected: {}", systemId, old.connection().remote(), reason);
            surroundings.listener().nodeDisconnected(systemId);
        } else {
            say("went", old, "Node {} at {} went before it could be read: {}", systemId, old.connection().remote(),
                reason);
        }
        OvsdbSession next = candidate;
        candidate = null;
        if (next != null && !next.connection().isClosed()) {
            adopt(next);
        }
    }

    /** Connecting to the node failed, or led to another; called from any thread. */
    void dialFailed(Dialler from, String why) {
        execute(() -> {
            if (from != dialler || session != null) {
                return;
            }
            trouble = why;
            if (surroundings.isNew("dial " + systemId + " " + why)) {
                LOG.info("Node {}: {}", systemId, why);
            }
            for (String bridge : wanted.keySet()) {
                report(bridge, new Report(new TreeMap<>(), why));
            }
        });
    }

    /** The picture may have changed; called from any thread. */
    void changed() {
        if (evaluating.compareAndSet(false, true)) {
            execute(() -> {
                evaluating.set(false);
                evaluate();
            });
        }
    }

    /** Logs the coming and going of a node; of those nobody wants only one from each address, for they may be many. */
    private void say(String what, OvsdbSession of, String text, Object... arguments) {
        if (!wanted.isEmpty() || !unwanted.isEmpty()
                || surroundings.isNew(what + " " + of.connection().remote().getAddress())) {
            LOG.info(text, arguments);
        }
    }

    private void dial(Optional<OvsdbAddress> address) {
        Optional<OvsdbAddress> current = Optional.ofNullable(dialler).map(Dialler::address);
        if (current.equals(address)) {
            return;
        }
        if (dialler != null) {
            dialler.stop();
        }
        dialler = address.map(to -> new Dialler(surroundings, this, to)).orElse(null);
        if (dialler != null) {
            dialler.start();
        }
    }

    private void evaluate() {
        OvsdbSession current = session;
        if (current == null) {
            return;
        }
        current.connection().wanted(!wanted.isEmpty());
        OvsdbSnapshot picture = current.picture();
        if (picture == null || current.connection().isClosed()) {
            return;
        }
        SystemRow system = picture.system().orElse(null);
        if (system == null || !system.systemId().equals(systemId)) {
            current.connection().close("its system-id became '" + (system == null ? "" : system.systemId()) + "'");
            return;
        }
        announce(current, system);
        if (progress.underWay.isEmpty() && isCaughtUp(system)) {
            work(current, picture, system);
        }
    }

    private void announce(OvsdbSession current, SystemRow system) {
        Facts facts = new Facts(system.ovsVersion(), system.interfaceTypes());
        if (facts.equals(progress.facts)) {
            return;
        }
        if (progress.facts == null) {
            say("came", current, "Node {} connected {} {}{}", systemId, current.isDialled() ? "at" : "from",
                current.connection().remote(),
                facts.ovsVersion.isEmpty() ? "" : ", Open vSwitch " + facts.ovsVersion);
            surroundings.later(timing.orphans(), this::changed);
        }
        progress.facts = facts;
        surroundings.listener().nodeConnected(systemId, facts.ovsVersion, facts.interfaceTypes);
    }

    /** Whether the picture shows what our last transaction did; else its effects would be planned again. */
    private boolean isCaughtUp(SystemRow system) {
        return system.nextCfg() >= progress.expectedCfg || System.nanoTime() - progress.expectedUntil > 0;
    }

    private void work(OvsdbSession current, OvsdbSnapshot picture, SystemRow system) {
        long now = System.nanoTime();
        boolean calm = now - lastWish >= timing.orphans().toNanos() && !isPremature();
        BridgePlan plan = BridgePlan.of(picture, new Wanted(wanted, unwanted, calm, targets(current, picture)));
        forgetRemoved(picture);
        if (calm) {
            mention(plan.orphans(), picture);
        }
        failures.keySet().retainAll(plan.changes().keySet());
        alone &= !plan.changes().isEmpty();
        send(current, system, plan, now);

        boolean lagging = isLagging(system, now);
        boolean stuck = progress.lagging && now - progress.laggingSince >= timing.apply().toNanos();
        boolean held = lagging && !stuck && now - progress.heldSince < timing.apply().toNanos();
        for (Bridge bridge : wanted.values()) {
            if (!held && !progress.underWay.contains(bridge.name())) {
                report(bridge.name(), BridgeStatus.of(picture, bridge,
                    plan.problems().getOrDefault(bridge.name(), Problems.NONE), trouble(bridge.name(), stuck),
                    !lagging));
            }
        }
        rest();
    }

    /** Whether it is too early to say that nobody mentions something. */
    private boolean isPremature() {
        boolean premature = wanted.isEmpty() && unwanted.isEmpty() && surroundings.listener().isExpected(systemId);
        if (premature && System.nanoTime() - askAgain >= 0) {
            askAgain = System.nanoTime() + timing.orphans().toNanos();
            surroundings.later(timing.orphans(), this::changed);
        }
        return premature;
    }

    private SortedSet<String> targets(OvsdbSession current, OvsdbSnapshot picture) {
        OvsdbSettings settings = surroundings.settings();
        InetAddress own = current.connection().localAddress();
        return settings.controllers().isEmpty()
            ? ControllerTargets.of(picture, current.connection().isSecured(), Optional.of(own),
                new ControllerTargets.Ports(settings.openFlowPort(),
                    settings.tls().map(OvsdbSettings.Tls::openFlowPort).orElse(0)))
            : new TreeSet<>(settings.controllers());
    }

    private void send(OvsdbSession current, SystemRow system, BridgePlan plan, long now) {
        SortedMap<String, List<JsonObject>> due = new TreeMap<>(plan.changes());
        due.keySet().removeIf(name -> failures.containsKey(name) && failures.get(name).retryAt - now > 0);
        if (alone && !due.isEmpty()) {
            due = new TreeMap<>(Map.of(due.firstKey(), due.get(due.firstKey())));
        }
        if (due.isEmpty() || !surroundings.mayChange().getAsBoolean()) {
            return;
        }
        List<JsonObject> operations = new ArrayList<>();
        due.values().forEach(operations::addAll);
        Operations bump = new Operations();
        bump.bump(system.uuid());
        operations.addAll(bump.list());
        Set<String> bridges = Set.copyOf(due.keySet());
        progress.underWay = bridges;
        current.transact(operations).whenComplete((outcome, failure) -> execute(() -> answered(current, bridges,
            failure == null ? outcome : TransactionOutcome.failed("the change was not answered: " + Causes.of(failure).getMessage()))));
    }

    private void answered(OvsdbSession asked, Set<String> bridges, TransactionOutcome outcome) {
        if (asked != session) {
            return;
        }
        progress.underWay = Set.of();
        if (outcome.error().isEmpty()) {
            LOG.info("Node {}: changed {}", systemId, String.join(", ", new TreeSet<>(bridges)));
            progress.overtaken = 0;
            progress.expectedCfg = outcome.nextCfg();
            progress.expectedUntil = System.nanoTime() + timing.answer().toNanos();
            surroundings.later(timing.answer(), this::changed);
            failures.keySet().removeAll(bridges);
        } else if (outcome.overtaken() && ++progress.overtaken < OVERTAKEN) {
            LOG.debug("Node {} changed meanwhile; {} planned again", systemId, bridges);
        } else if (bridges.size() > 1) {
            // one bridge's trouble must not keep the others from theirs
            alone = true;
        } else {
            bridges.forEach(bridge -> refused(bridge, outcome.error()));
        }
        evaluate();
    }

    private void refused(String bridge, String error) {
        Failure before = failures.get(bridge);
        Backoff retry = before == null ? new Backoff(timing.retry(), timing.retryMost()) : before.retry.doubled();
        if (before == null || !before.text.equals(error)) {
            LOG.warn("Node {}: bridge {} is not as wanted: {}", systemId, bridge, error);
        }
        failures.put(bridge, new Failure(error, retry, System.nanoTime() + retry.pause().toNanos()));
        surroundings.later(retry.pause(), this::changed);
    }

    /** Whether vswitchd has not yet taken up all of the database. */
    private boolean isLagging(SystemRow system, long now) {
        boolean lagging = system.curCfg() < system.nextCfg();
        if (!lagging) {
            progress.lagging = false;
            return false;
        }
        if (!progress.lagging) {
            progress.heldSince = now;
        }
        if (!progress.lagging || system.curCfg() != progress.laggingCfg) {
            progress.lagging = true;
            progress.laggingCfg = system.curCfg();
            progress.laggingSince = now;
            surroundings.later(timing.apply(), this::changed);
        }
        return true;
    }

    private String trouble(String bridge, boolean stuck) {
        Failure failure = failures.get(bridge);
        if (failure != null) {
            return failure.text;
        }
        return stuck ? "ovs-vswitchd has not taken up the last change for " + timing.apply().toSeconds()
            + " s: see whether it runs on the node" : "";
    }

    private void report(String bridge, Report report) {
        if (!report.equals(reported.put(bridge, report))) {
            surroundings.listener().bridge(systemId, bridge, report.ports(), report.error());
        }
    }

    private void forgetRemoved(OvsdbSnapshot picture) {
        Set<String> ours = new TreeSet<>();
        for (BridgeRow row : picture.bridges().values()) {
            if (row.externalIds().containsKey(BridgePlan.MARK)) {
                ours.add(row.name());
            }
        }
        unwanted.retainAll(ours);
    }

    private void mention(SortedSet<String> orphans, OvsdbSnapshot picture) {
        for (BridgeRow row : picture.bridges().values()) {
            if (orphans.contains(row.name()) && surroundings.isNew("orphan " + systemId + " " + row.name())) {
                LOG.warn("Node {} has bridge {} of fabric {}, which nobody here mentions: it is left as it is. Put its"
                    + " switch into the fabric, or take the bridge off with ovs-vsctl del-br {}", systemId, row.name(),
                    row.externalIds().get(BridgePlan.MARK), row.name());
            }
        }
        if (wanted.isEmpty() && unwanted.isEmpty() && surroundings.isNew("idle " + systemId)) {
            LOG.info("Node {} is in no fabric: to use it give a switch the system-id {}", systemId, systemId);
        }
    }

    /** Stops connecting to a node that is of no interest any more. */
    private void rest() {
        if (wanted.isEmpty() && unwanted.isEmpty() && dialler != null) {
            dialler.stop();
            dialler = null;
        }
    }
}
