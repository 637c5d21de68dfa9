package org.daqfabric.impl.ovsdb;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.api.spec.Switch.OvsdbAddress;
import org.daqfabric.api.state.Finding;
import org.daqfabric.impl.async.Causes;
import org.daqfabric.impl.controller.spi.BridgeDriver;
import org.daqfabric.impl.controller.spi.BridgeListener;
import org.daqfabric.impl.ovsdb.OvsdbSession.Identity;
import org.daqfabric.impl.ovsdb.OvsdbSettings.Tls;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Speaks OVSDB (RFC 7047) with nodes that connect to us and nodes we connect to. */
public final class OvsdbBridgeDriver implements BridgeDriver, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OvsdbBridgeDriver.class);
    private static final int BACKLOG = 1024;
    private static final int CLOSE_SECONDS = 5;
    private static final int ACCEPT_PAUSE_MILLIS = 100;
    /** Characters of a reason that tell whether it is another one. */
    private static final int KIND = 24;

    private final Map<String, Node> nodes = new ConcurrentHashMap<>();
    private final Set<JsonRpcConnection> connections = ConcurrentHashMap.newKeySet();
    /** Connections of peers that have not named their system-id, oldest first; guarded by itself. */
    private final LinkedHashSet<JsonRpcConnection> strangers = new LinkedHashSet<>();
    private final ExecutorService threads =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("ovsdb-", 0).factory());
    private final ScheduledThreadPoolExecutor clock = new ScheduledThreadPoolExecutor(1,
        Thread.ofPlatform().name("ovsdb-clock").daemon().factory());
    private final OvsdbSettings settings;
    private final DriverContext surroundings;
    private final MemoryBudget holdings;
    private final RefusedPeers turnedAway = new RefusedPeers();
    private final Semaphore crowd = ReadThrottle.crowd();
    private final Transport dialling;
    private final List<Listening> listening = new ArrayList<>();
    private volatile boolean closed;

    private record Listening(ServerSocket socket, Transport transport) {
    }

    /**
     * Starts to listen, if the settings say so.
     *
     * @param listener called in order for any one node, from several threads for several nodes
     * @throws IOException if an address to listen on is not to be had
     */
    public OvsdbBridgeDriver(OvsdbSettings settings, BridgeListener listener) throws IOException {
        this(settings, listener, () -> true);
    }

    /**
     * Starts to listen, if the settings say so.
     *
     * @param listener called in order for any one node, from several threads for several nodes
     * @param mayChange whether nodes may be changed at this very moment; what may not be is done when that is told by
     *     {@link #resume()}
     * @throws IOException if an address to listen on is not to be had
     */
    public OvsdbBridgeDriver(OvsdbSettings settings, BridgeListener listener, BooleanSupplier mayChange)
            throws IOException {
        this.settings = settings;
        surroundings = new DriverContext(settings, listener, mayChange, threads, clock, DriverContext.nothingSaid(),
            this::dialled);
        holdings = new MemoryBudget(connections, settings.limits().held());
        dialling = settings.tls().<Transport>map(tls -> new Transport.Tls(tls.context())).orElseGet(
            Transport.Plain::new);
        try {
            if (settings.listen().isPresent()) {
                listen(settings.listen().get(), new Transport.Plain());
            }
            if (settings.tls().flatMap(Tls::listen).isPresent()) {
                listen(settings.tls().get().listen().get(), dialling);
            }
        } catch (IOException e) {
            close();
            throw e;
        }
        clock.setRemoveOnCancelPolicy(true);
        long tick = settings.timing().probe().toNanos() / 5;
        clock.scheduleWithFixedDelay(this::tick, tick, tick, TimeUnit.NANOSECONDS);
        listening.forEach(each -> threads.execute(() -> accept(each)));
    }

    /** Where nodes connect to us, without TLS if that is possible. */
    public Optional<InetSocketAddress> listenAddress() {
        return listenAddresses().stream().findFirst();
    }

    /** Where nodes connect to us, plain TCP first. */
    List<InetSocketAddress> listenAddresses() {
        return listening.stream().map(each -> (InetSocketAddress) each.socket.getLocalSocketAddress()).toList();
    }

    @Override
    public void put(String systemId, Optional<OvsdbAddress> address, Bridge bridge) {
        tell(systemId, node -> node.put(address, bridge));
    }

    @Override
    public CompletionStage<List<Finding>> compare(String switchName, String systemId, String bridge) {
        CompletableFuture<List<Finding>> findings = new CompletableFuture<>();
        tell(systemId, node -> findings.complete(node.compare(switchName, bridge)));
        return findings;
    }

    @Override
    public CompletionStage<Map<String, Map<String, Long>>> statistics(String systemId, String bridge) {
        CompletableFuture<Map<String, Map<String, Long>>> statistics = new CompletableFuture<>();
        tell(systemId, node -> node.statistics(bridge).whenComplete((found, failure) -> {
            if (failure == null) {
                statistics.complete(found);
            } else {
                statistics.completeExceptionally(Causes.of(failure));
            }
        }));
        return statistics;
    }

    /** How every node is that is connected or wanted; completes within seconds. */
    public CompletionStage<List<NodeReport>> examine() {
        List<CompletableFuture<NodeReport>> reports = new ArrayList<>();
        for (String systemId : nodes.keySet()) {
            CompletableFuture<NodeReport> report = new CompletableFuture<>();
            reports.add(report);
            tell(systemId, node -> node.examine().thenAccept(report::complete));
        }
        return CompletableFuture.allOf(reports.toArray(CompletableFuture[]::new))
            .thenApply(done -> reports.stream().map(CompletableFuture::join).toList());
    }

    /** Peers that were not let in lately, by address, with the reason. */
    public SortedMap<String, String> turnedAway() {
        return turnedAway.reasons();
    }

    @Override
    public void remove(String systemId, String bridge) {
        tell(systemId, node -> node.remove(bridge));
    }

    /** Nodes may be changed again. */
    public void resume() {
        nodes.values().forEach(Node::changed);
    }

    /** Wants nothing of any node any more and leaves what they hold; goes on to hear of them. */
    public void leave() {
        nodes.keySet().forEach(systemId -> tell(systemId, Node::leave));
    }

    /** Ends all connections and threads; what the nodes hold stays. The listener hears no more after a moment. */
    @Override
    public void close() {
        closed = true;
        for (Listening each : listening) {
            try {
                each.socket.close();
            } catch (IOException e) {
                LOG.debug("Closing the listening socket", e);
            }
        }
        clock.shutdownNow();
        threads.shutdownNow();
        nodes.values().forEach(Node::close);
        connections.forEach(connection -> connection.close("the controller stops"));
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
    boolean isEnded() {
        return threads.isTerminated() && clock.isTerminated();
    }

    /** Bytes that peers make us hold. */
    long held() {
        return holdings.total();
    }

    /** The session of a node, for tests. */
    Optional<OvsdbSession> session(String systemId) {
        return Optional.ofNullable(nodes.get(systemId)).map(Node::session);
    }

    private void listen(InetSocketAddress address, Transport transport) throws IOException {
        ServerSocket socket = new ServerSocket();
        listening.add(new Listening(socket, transport));
        try {
            socket.setReuseAddress(true);
            socket.bind(address, BACKLOG);
        } catch (IOException e) {
            throw new IOException("cannot listen for OVSDB on " + address + ": " + e.getMessage(), e);
        }
        LOG.info("Listening for OVSDB on {}:{}", transport.scheme(), socket.getLocalSocketAddress());
    }

    private void accept(Listening on) {
        while (!closed) {
            try {
                open(on.socket.accept(), on.transport, Optional.empty());
            } catch (IOException | RuntimeException e) {
                if (!closed) {
                    LOG.warn("A node could not be let in; going on to listen: {}", e.toString());
                    pause();
                }
            }
        }
    }

    private void dialled(Socket socket, Dialler dialler) {
        open(socket, dialling, Optional.of(dialler));
    }

    private static void pause() {
        try {
            // nothing tells when the system can take a connection again
            Thread.sleep(ACCEPT_PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void open(Socket socket, Transport transport, Optional<Dialler> dialler) {
        try {
            if (closed || connections.size() >= settings.limits().connections()) {
                socket.close();
                if (!closed && surroundings.isNew("full")) {
                    LOG.warn("{} OVSDB connections at a time are the limit: {} was not let in", connections.size(),
                        socket.getRemoteSocketAddress());
                }
                return;
            }
            JsonRpcConnection connection = new JsonRpcConnection(socket, transport, dialler.isPresent(), settings, holdings,
                new ReadThrottle(crowd), threads);
            OvsdbSession session = new OvsdbSession(connection, dialler.isPresent());
            connections.add(connection);
            greet(connection);
            dialler.ifPresent(from -> from.opened(connection));
            connection.start(reason -> ended(session, dialler, reason));
            if (closed) {
                connection.close("the controller stops");
            }
            session.identify().whenComplete((identity, failure) -> {
                if (failure == null) {
                    identified(session, identity, dialler);
                } else {
                    connection.close("did not say who it is: " + Causes.of(failure).getMessage());
                }
            });
        } catch (IOException e) {
            LOG.debug("A connection ended at once", e);
            discard(socket);
            dialler.ifPresent(from -> from.node().dialFailed(from, "connection to " + from + " ended at once"));
        }
    }

    private static void discard(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug("Closing a socket", e);
        }
    }

    /** Makes room for a stranger: one that has come lately is likelier a node that is about to name itself. */
    private void greet(JsonRpcConnection connection) {
        JsonRpcConnection oldest = null;
        synchronized (strangers) {
            if (strangers.size() >= settings.limits().strangers()) {
                oldest = strangers.iterator().next();
                strangers.remove(oldest);
            }
            strangers.add(connection);
        }
        if (oldest != null) {
            oldest.close("too many connections that do not name their system-id");
        }
    }

    private void identified(OvsdbSession session, Identity identity, Optional<Dialler> dialler) {
        JsonRpcConnection connection = session.connection();
        String systemId = identity.systemId();
        if (systemId.isEmpty()) {
            if (surroundings.isNew("nameless " + connection.remote().getAddress())) {
                LOG.warn("The node at {} has no system-id: set it with ovs-vsctl set Open_vSwitch ."
                    + " external_ids:system-id=NAME", connection.remote());
            }
            connection.close("it has no system-id: set it with ovs-vsctl set Open_vSwitch ."
                + " external_ids:system-id=NAME");
            return;
        }
        if (dialler.isPresent() && !dialler.get().node().isNamed(systemId)) {
            connection.close("it has the system-id " + systemId + ": correct the system-id or the address");
            return;
        }
        dialler.ifPresent(Dialler::useful);
        forgetStranger(connection);
        turnedAway.remove(connection.remote());
        tell(systemId, node -> node.offer(session));
    }

    private void ended(OvsdbSession session, Optional<Dialler> dialler, String reason) {
        JsonRpcConnection connection = session.connection();
        connections.remove(connection);
        connection.release();
        boolean stranger = forgetStranger(connection);
        Identity identity = session.identity();
        if (identity != null && !identity.systemId().isEmpty() && !stranger) {
            tell(identity.systemId(), node -> node.ended(session, reason));
        } else if (!closed && surroundings.isNew("stranger " + connection.remote().getAddress() + " " + kind(reason))) {
            LOG.info("Connection with {} ended, which has not shown itself to be a node: {}", connection.remote(),
                reason);
        }
        if (stranger && dialler.isEmpty()) {
            turnedAway.add(connection.remote(), reason);
        }
        if (stranger) {
            dialler.ifPresent(from -> from.node().dialFailed(from,
                "the peer at " + from + " is not this node: " + reason));
        }
    }

    /** What a reason begins with: its end a peer can make up, and so fill the log. */
    private static String kind(String reason) {
        return reason.substring(0, Math.min(reason.length(), KIND));
    }

    private boolean forgetStranger(JsonRpcConnection connection) {
        synchronized (strangers) {
            return strangers.remove(connection);
        }
    }

    private void tell(String systemId, Consumer<Node> task) {
        if (closed) {
            return;
        }
        nodes.compute(systemId, (id, known) -> {
            Node node = known == null ? new Node(surroundings, id) : known;
            node.execute(() -> {
                task.accept(node);
                nodes.computeIfPresent(id, (same, current) -> current == node && node.isDisposable() ? null : current);
            });
            return node;
        });
    }

    private void tick() {
        long now = System.nanoTime();
        for (JsonRpcConnection connection : connections) {
            try {
                connection.tick(now);
            } catch (RuntimeException e) {
                LOG.error("Connection with {} cannot be looked after and is closed", connection.remote(), e);
                connection.close("it cannot be looked after");
            }
        }
    }
}
