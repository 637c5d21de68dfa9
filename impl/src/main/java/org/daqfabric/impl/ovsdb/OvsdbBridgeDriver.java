package org.daqfabric.impl.ovsdb;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.api.spec.Switch.OvsdbAddress;
import org.daqfabric.api.state.Finding;
import org.daqfabric.api.state.MarkedBridge;
import org.daqfabric.impl.async.Causes;
import org.daqfabric.impl.async.Repeating;
import org.daqfabric.impl.controller.spi.BridgeDriver;
import org.daqfabric.impl.controller.spi.BridgeListener;
import org.daqfabric.impl.controller.spi.Installation;
import org.daqfabric.impl.controller.spi.PortReading;
import org.daqfabric.impl.ovsdb.OvsdbSettings.Tls;
import org.daqfabric.impl.peers.AddressCredits;
import org.daqfabric.impl.peers.PeerLog;
import org.daqfabric.impl.peers.Places;
import org.daqfabric.impl.peers.WantedAddresses;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Speaks OVSDB (RFC 7047) with nodes that connect to the controller and nodes it connects to. */
public final class OvsdbBridgeDriver implements BridgeDriver, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OvsdbBridgeDriver.class);
    private static final int CLOSE_SECONDS = 5;

    private final Map<String, Node> nodes = new ConcurrentHashMap<>();
    private final ExecutorService threads =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("ovsdb-", 0).factory());
    private final ScheduledThreadPoolExecutor clock = new ScheduledThreadPoolExecutor(1,
        Thread.ofPlatform().name("ovsdb-clock").daemon().factory());
    private final WantedAddresses addresses = new WantedAddresses();
    private final AddressCredits credits = new AddressCredits(addresses);
    private final Transport outgoing;
    private final DriverContext context;
    private final PeerConnections connections;
    private final OvsdbServer server;

    /**
     * Starts to listen, if the settings say so, as soon as the ports are free.
     *
     * @param listener called in order for any one node, from several threads for several nodes
     * @throws IOException if the system has no sockets
     */
    public OvsdbBridgeDriver(OvsdbSettings settings, BridgeListener listener) throws IOException {
        this(settings, listener, () -> true, () -> Installation.UNKNOWN);
    }

    /**
     * Starts to listen, if the settings say so, as soon as the ports are free.
     *
     * @param listener called in order for any one node, from several threads for several nodes
     * @param mayChange whether nodes may be changed at this very moment; changes held up by it are made at the next
     *     {@link #resume()}
     * @param installation which installation this is; bridges get its id, unless it is unknown
     * @throws IOException if the system has no sockets
     */
    public OvsdbBridgeDriver(OvsdbSettings settings, BridgeListener listener, BooleanSupplier mayChange,
            Supplier<Installation> installation) throws IOException {
        Transport plain = new Transport.Plain();
        outgoing = settings.tls().<Transport>map(tls -> new Transport.Tls(tls.context())).orElse(plain);
        context = new DriverContext(settings, listener, mayChange, threads, clock, DriverContext.emptyLog(),
            new PeerLog(), new Places<>(settings.limits().places(), addresses), new BridgeSerials(), this::dialled,
            installation);
        connections = new PeerConnections(context, addresses, credits, new KnownNodes());
        server = new OvsdbServer((socket, transport) -> connections.open(socket, transport, Optional.empty()));
        try {
            if (settings.listen().isPresent()) {
                server.listen(settings.listen().get(), plain);
            }
            if (settings.tls().flatMap(Tls::listen).isPresent()) {
                server.listen(settings.tls().get().listen().get(), outgoing);
            }
        } catch (IOException e) {
            close();
            throw e;
        }
        clock.setRemoveOnCancelPolicy(true);
        long tick = settings.timing().probe().toNanos() / 5;
        clock.scheduleWithFixedDelay(new Repeating("the check of OVSDB connections", clock, connections::tick), tick,
            tick, TimeUnit.NANOSECONDS);
        server.start(threads);
    }

    private void dialled(Socket socket, Dialler dialler) {
        connections.open(socket, outgoing, Optional.of(dialler));
    }

    /** Where nodes connect to the controller, without TLS if that is possible. */
    public Optional<InetSocketAddress> listenAddress() {
        return listenAddresses().stream().findFirst();
    }

    /** Where nodes connect to the controller, plain TCP first; none whose port another program has. */
    public List<InetSocketAddress> listenAddresses() {
        return server.addresses();
    }

    @Override
    public void put(String systemId, Optional<OvsdbAddress> address, Bridge bridge) {
        execute(systemId, node -> node.put(address, bridge));
    }

    @Override
    public CompletionStage<List<Finding>> compare(String switchName, String systemId, String bridge) {
        CompletableFuture<List<Finding>> findings = new CompletableFuture<>();
        execute(systemId, node -> findings.complete(node.compare(switchName, bridge)));
        return findings;
    }

    @Override
    public CompletionStage<SortedMap<String, PortReading>> readPorts(String systemId, String bridge) {
        CompletableFuture<SortedMap<String, PortReading>> ports = new CompletableFuture<>();
        execute(systemId, node -> node.readPorts(bridge).whenComplete((found, failure) -> {
            if (failure == null) {
                ports.complete(found);
            } else {
                ports.completeExceptionally(Causes.of(failure));
            }
        }));
        return ports;
    }

    /** The state of every node that is connected or in a fabric; completes within seconds. */
    public CompletionStage<List<NodeReport>> nodeReports() {
        List<CompletableFuture<NodeReport>> reports = new ArrayList<>();
        for (String systemId : nodes.keySet()) {
            CompletableFuture<NodeReport> report = new CompletableFuture<>();
            reports.add(report);
            execute(systemId, node -> node.report().thenAccept(report::complete));
        }
        return CompletableFuture.allOf(reports.toArray(CompletableFuture[]::new))
            .thenApply(done -> reports.stream().map(CompletableFuture::join).toList());
    }

    /** Peers that were refused lately, by address, with the reason. */
    public SortedMap<String, String> refusedPeers() {
        return connections.refusals().reasons();
    }

    /** How many peers were refused for each limit. */
    public SortedMap<String, Long> refusals() {
        return connections.refusals().counts();
    }

    /** Where nodes of fabrics are. */
    public WantedAddresses wantedAddresses() {
        return addresses;
    }

    /** What peers of other addresses may cost, on all ports of switches together. */
    public AddressCredits addressCredits() {
        return credits;
    }

    /** The serial number that the bridge with a datapath-id has; empty as long as its node has not told it. */
    public Optional<String> serialOf(long datapathId) {
        return context.serials().of(datapathId);
    }

    /** Whether the bridge with a datapath-id belonged to another installation when its node told of it last. */
    public boolean isOthers(long datapathId) {
        return context.serials().isOthers(datapathId);
    }

    @Override
    public void remove(MarkedBridge bridge, Optional<OvsdbAddress> address) {
        execute(bridge.systemId(), node -> node.remove(bridge, address));
    }

    @Override
    public void endRemoval(MarkedBridge bridge) {
        execute(bridge.systemId(), node -> node.endRemoval(bridge));
    }

    @Override
    public CompletionStage<SortedMap<String, SortedMap<String, String>>> marks() {
        SortedMap<String, SortedMap<String, String>> marks = new ConcurrentSkipListMap<>();
        List<CompletableFuture<Void>> asked = new ArrayList<>();
        for (String systemId : nodes.keySet()) {
            CompletableFuture<Void> answer = new CompletableFuture<>();
            asked.add(answer);
            execute(systemId, node -> {
                node.marks().ifPresent(found -> marks.put(systemId, found));
                answer.complete(null);
            });
        }
        return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new)).thenApply(done -> marks);
    }

    /** The ids of other installations that have bridges on nodes that are connected. */
    public CompletionStage<SortedSet<String>> otherInstallations() {
        SortedSet<String> others = new ConcurrentSkipListSet<>();
        List<CompletableFuture<Void>> asked = new ArrayList<>();
        for (String systemId : nodes.keySet()) {
            CompletableFuture<Void> answer = new CompletableFuture<>();
            asked.add(answer);
            execute(systemId, node -> {
                Optional.ofNullable(node.session()).map(OvsdbSession::snapshot).ifPresent(rows ->
                    others.addAll(rows.others(context.installation().get()).values()));
                answer.complete(null);
            });
        }
        return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new)).thenApply(done -> others);
    }

    /** Nodes may be changed again. */
    public void resume() {
        nodes.values().forEach(Node::changed);
    }

    /** Forgets all desired bridges and leaves the nodes as they are; the listener is still called. */
    public void relinquish() {
        nodes.keySet().forEach(systemId -> execute(systemId, Node::relinquish));
    }

    /** Ends all connections and threads; the nodes keep their bridges. The listener may be called for a moment more. */
    @Override
    public void close() {
        server.close();
        clock.shutdownNow();
        threads.shutdownNow();
        nodes.values().forEach(Node::close);
        connections.closeAll("the controller stops");
        try {
            if (!threads.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)
                    || !clock.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("Some OVSDB tasks did not end within {} s", CLOSE_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether no thread is left. */
    boolean isTerminated() {
        return threads.isTerminated() && clock.isTerminated();
    }

    /** Bytes that all peers together make the controller hold. */
    long heldBytes() {
        return connections.heldBytes();
    }

    /** The session of a node, for tests. */
    Optional<OvsdbSession> session(String systemId) {
        return Optional.ofNullable(nodes.get(systemId)).map(Node::session);
    }

    /** Runs a task in a node's mailbox, and drops the node afterwards if there is nothing to remember of it. */
    private void execute(String systemId, Consumer<Node> task) {
        if (context.isStopping()) {
            return;
        }
        nodes.compute(systemId, (id, known) -> {
            Node node = known == null ? new Node(context, id) : known;
            node.execute(() -> {
                task.accept(node);
                nodes.computeIfPresent(id, (same, current) -> current == node && node.isDisposable() ? null : current);
            });
            return node;
        });
    }

    private final class KnownNodes implements PeerConnections.Nodes {
        @Override
        public void identified(String systemId, OvsdbSession session) {
            execute(systemId, node -> node.offer(session));
        }

        @Override
        public void ended(String systemId, OvsdbSession session, String reason) {
            execute(systemId, node -> node.ended(session, reason));
        }
    }
}
