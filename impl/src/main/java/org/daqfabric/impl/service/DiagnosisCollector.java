package org.daqfabric.impl.service;

import com.google.common.collect.Sets;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.Year;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.daqfabric.api.run.PartitionState;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.spec.Switch;
import org.daqfabric.api.state.FabricState;
import org.daqfabric.api.state.FreeSpace;
import org.daqfabric.api.state.MarkedBridge;
import org.daqfabric.api.state.PendingRemoval;
import org.daqfabric.api.state.TrafficMatrix.Weights;
import org.daqfabric.impl.async.Causes;
import org.daqfabric.impl.async.Clocks;
import org.daqfabric.impl.controller.LatestStates;
import org.daqfabric.impl.controller.spi.Recorder.LoopState;
import org.daqfabric.impl.engine.doctor.DiagnosisInput;
import org.daqfabric.impl.ovsdb.NodeReport;
import org.daqfabric.impl.ovsdb.OvsdbBridgeDriver;
import org.daqfabric.impl.tls.CertificateDate;
import org.daqfabric.impl.tls.TlsException;
import org.daqfabric.impl.tls.TlsFiles;

/** Collects the input of a diagnosis; takes some seconds at most. */
public final class DiagnosisCollector {
    private static final String OWN = "controller-certificate";
    private static final long TIMEOUT_SECONDS = 6;
    private static final Duration AT_ONCE = Duration.ofMillis(100);

    private final Listeners listeners;
    private final Papers papers;
    private final OvsdbBridgeDriver bridges;
    private final OpenFlow openFlow;
    private final Accounts accounts;
    private final StoreProbe storeProbe;
    private final Supplier<List<FreeSpace>> disks;
    private final Supplier<SortedMap<String, String>> lostMembers;
    private final ClockWatch clock;
    private final DropAges drops = new DropAges(Clocks.system());
    private final CollectorShare collector = new CollectorShare();
    private volatile Optional<Slow> newest = Optional.empty();
    private volatile Optional<List<DiagnosisInput.Store>> probed = Optional.empty();

    /**
     * What the controller itself knows.
     *
     * @param leaving bridges that are still to be removed
     * @param orphans bridges that no configured fabric names
     * @param loops how the event loop of a fabric is
     * @param measured weights of what fabrics carry, by fabric, as far as they were measured
     */
    record Known(List<FabricSpec> fabrics, LatestStates states, List<PendingRemoval> leaving,
            List<MarkedBridge> orphans, Function<String, Optional<LoopState>> loops, List<PartitionState> partitions,
            Map<String, Weights> measured) {
    }

    /**
     * What is known of switches over OpenFlow, and of peers that were turned away.
     *
     * @param claims of those that claimed to be a switch
     * @param refused why, by address, those that exceeded a limit
     * @param late the switches that answer late, by datapath-id
     */
    public record OpenFlow(Supplier<List<DiagnosisInput.Claim>> claims,
            Supplier<SortedMap<String, String>> refused, Supplier<Set<Long>> late) {
    }

    /**
     * What is known of those who log in.
     *
     * @param unstored why the first accounts have no passwords of their own; empty if they have
     * @param refused why, by address, those that failed too often
     */
    public record Accounts(Supplier<String> unstored, Supplier<SortedMap<String, String>> refused) {
    }

    /**
     * Creates a collector.
     *
     * @param papers the files with its identities
     * @param openFlow what is known of peers on its port
     * @param accounts what is known of those who log in
     * @param storeProbe tries the datastores
     * @param disks the file systems that the controller stores into
     * @param lostMembers where the members are that this one cannot reach
     */
    public DiagnosisCollector(Listeners listeners, Papers papers, OvsdbBridgeDriver bridges, OpenFlow openFlow,
            Accounts accounts, StoreProbe storeProbe, Supplier<List<FreeSpace>> disks,
            Supplier<SortedMap<String, String>> lostMembers) {
        this.listeners = listeners;
        this.papers = papers;
        this.bridges = bridges;
        this.openFlow = openFlow;
        this.accounts = accounts;
        this.storeProbe = storeProbe;
        this.disks = disks;
        this.lostMembers = lostMembers;
        // the start time of the JVM may be a second after its uptime began, where it begins slowly
        Times now = Times.now();
        clock = new ClockWatch(now.clock, now.up);
    }

    /**
     * Files with certificates.
     *
     * @param tls what it shows to switches
     * @param own path of what it shows to other members and over HTTPS, which others read; blank if there is none
     */
    public record Papers(Optional<TlsFiles> tls, String own) {
        private List<DiagnosisInput.Certificate> look() {
            List<DiagnosisInput.Certificate> found = new ArrayList<>();
            tls.ifPresent(files -> found.addAll(look("TLS", () -> CertificateDate.of(files))));
            if (!own.isBlank()) {
                found.addAll(look(OWN, () -> CertificateDate.of(OWN, Path.of(own.trim()))));
            }
            return found;
        }

        private static List<DiagnosisInput.Certificate> look(String what, Dates dates) {
            Instant now = Instant.now();
            try {
                return dates.read().stream().map(each -> new DiagnosisInput.Certificate(each.setting(),
                    each.file().toString(), each.subject(), Duration.between(now, each.notAfter()).toDays(), ""))
                    .toList();
            } catch (TlsException e) {
                return List.of(new DiagnosisInput.Certificate(what, "", "", 0, e.getMessage()));
            }
        }
    }

    /** Reads dates of certificates. */
    private interface Dates {
        List<CertificateDate> read() throws TlsException;
    }

    /** The system's clock, and the time since the start by a clock that nobody sets, at the same moment. */
    private record Times(Duration clock, Duration up) {
        static Times now() {
            Times now;
            do { // a pause between the two would look like a step
                Duration up = uptime();
                now = new Times(Duration.ofMillis(System.currentTimeMillis()), up);
            } while (uptime().minus(now.up).compareTo(AT_ONCE) > 0);
            return now;
        }

        private static Duration uptime() {
            return Duration.ofMillis(ManagementFactory.getRuntimeMXBean().getUptime());
        }
    }

    /**
     * What takes some time to collect.
     *
     * @param late the switches that answered late before their nodes were asked: a node that then answers is there
     */
    private record Slow(Set<Long> late, List<NodeReport> reports, List<DiagnosisInput.Certificate> certificates) {
    }

    /** Collects the input, all of it anew. */
    DiagnosisInput collect(Known known) {
        look();
        probe();
        return with(newest.orElseThrow(), probed.orElseThrow(), known);
    }

    /** Looks again at nodes and certificates, for {@link #quick}. */
    public void look() {
        newest = Optional.of(new Slow(openFlow.late.get(), reports(), papers.look()));
        if (probed.isEmpty()) {
            probe();
        }
    }

    /** Tries again whether the datastores can be written, for {@link #quick}. */
    public void probe() {
        probed = Optional.of(storeProbe.look());
    }

    /**
     * Collects the input at once; what takes some time is as it was when it was looked at last, and nothing is
     * returned before the first time.
     */
    Optional<DiagnosisInput> quick(Known known) {
        return newest.flatMap(slow -> probed.map(stores -> with(slow, stores, known)));
    }

    private DiagnosisInput with(Slow slow, List<DiagnosisInput.Store> stores, Known known) {
        List<FabricSpec> fabrics = known.fabrics();
        LatestStates states = known.states();
        return new DiagnosisInput(
            fabrics.stream().map(spec -> new DiagnosisInput.ConfiguredFabric(spec, states.of(spec.name()),
                known.loops().apply(spec.name()).map(DiagnosisCollector::loop).orElse(DiagnosisInput.Loop.SOUND),
                states.of(spec.name()).map(this::sinceDrops).orElse(Double.POSITIVE_INFINITY),
                Optional.ofNullable(known.measured().get(spec.name())))).toList(),
            listeners.now(),
            slow.reports().stream().map(NodeReport::node).toList(),
            bfd(fabrics, slow.reports()), known.leaving().stream().map(each -> new DiagnosisInput.Leaving(each.bridge(),
                each.since().truncatedTo(ChronoUnit.SECONDS).toString())).toList(),
            known.orphans(), refused(bridges.refusedPeers(), openFlow.refused.get(), accounts.refused.get()),
            openFlow.claims.get(), slow.certificates(), machine(), stores, known.partitions(), accounts.unstored.get(),
            disks.get(), lostMembers.get(), Sets.intersection(openFlow.late.get(), slow.late()));
    }

    /** By address, with the port. */
    static SortedMap<String, String> refused(Map<String, String> ovsdb, Map<String, String> openFlow,
            Map<String, String> web) {
        SortedMap<String, String> all = new TreeMap<>();
        ovsdb.forEach((peer, why) -> all.put(peer, "on the OVSDB port: " + why));
        openFlow.forEach((peer, why) ->
            all.merge(peer, "on the OpenFlow port: " + why, (one, other) -> one + "; " + other));
        web.forEach((peer, why) ->
            all.merge(peer, "on the web server: " + why, (one, other) -> one + "; " + other));
        return all;
    }

    private static DiagnosisInput.Loop loop(LoopState loop) {
        return new DiagnosisInput.Loop(seconds(loop.standing()), loop.failures(), loop.rebuilds(),
            seconds(loop.unstored()));
    }

    private double sinceDrops(FabricState state) {
        return drops.of(state.fabric(), state.drops()).map(DiagnosisCollector::seconds)
            .orElse(Double.POSITIVE_INFINITY);
    }

    private static double seconds(Duration time) {
        return time.toMillis() / 1000.0;
    }

    private List<NodeReport> reports() {
        try {
            return bridges.nodeReports().toCompletableFuture().get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the nodes could not be queried: " + Causes.inWords(e), e);
        }
    }

    private static Map<PortId, DiagnosisInput.Bfd> bfd(List<FabricSpec> fabrics, List<NodeReport> reports) {
        Map<String, NodeReport> byNode = new HashMap<>();
        reports.forEach(report -> byNode.put(report.node().systemId(), report));
        Map<PortId, DiagnosisInput.Bfd> bfd = new HashMap<>();
        for (FabricSpec spec : fabrics) {
            for (Switch each : spec.switches()) {
                NodeReport report = byNode.get(each.systemId());
                if (report != null) {
                    report.bfd().forEach((port, session) -> bfd.put(new PortId(each.name(), port), session));
                }
            }
        }
        return bfd;
    }

    private DiagnosisInput.Machine machine() {
        MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        Times now = Times.now();
        Duration collecting = Duration.ofMillis(ManagementFactory.getGarbageCollectorMXBeans().stream()
            .mapToLong(GarbageCollectorMXBean::getCollectionTime).filter(millis -> millis > 0).sum());
        return new DiagnosisInput.Machine(heap.getUsed(), heap.getMax() > 0 ? heap.getMax() : heap.getCommitted(),
            collector.look(now.up, collecting), seconds(clock.look(now.clock, now.up)), Year.now().getValue());
    }
}
