package org.daqfabric.impl.openflow;

import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import org.daqfabric.api.program.Message;
import org.daqfabric.api.program.Rule;
import org.daqfabric.impl.async.Repeating;
import org.daqfabric.impl.controller.spi.InstalledState;
import org.daqfabric.impl.controller.spi.RuleChannel;
import org.daqfabric.impl.controller.spi.RuleListener;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Claim;
import org.daqfabric.impl.engine.traffic.Counted;
import org.opendaylight.openflowjava.protocol.api.connection.ConnectionAdapter;
import org.opendaylight.openflowjava.protocol.api.connection.SwitchConnectionHandler;
import org.opendaylight.openflowjava.protocol.spi.connection.SwitchConnectionProvider;

/**
 * The rules and groups of connected switches, over connections of OpenDaylight's OpenFlow library. Every member of a
 * cluster has one, with connections of its own to all switches.
 */
public final class OpenFlowRuleChannel implements RuleChannel, SwitchConnectionHandler, AutoCloseable {
    private static final int THREADS = 2;
    private static final long HELD_MILLIS = 5000;

    /** How often connections are asked again that have not proven to be their switch's. */
    private static final long CHECK_MILLIS = 1000;

    private final ScheduledExecutorService executor = Executors.newScheduledThreadPool(THREADS,
        Thread.ofPlatform().daemon().name("daqfabric-openflow-", 0).factory());
    private final Claims claims = new Claims();
    private final SwitchWays ways;
    private final Set<OpenFlowConnection> connections = ConcurrentHashMap.newKeySet();
    private final RuleListener listener;
    private final SwitchReader reader;
    private final CablingProbe cabling;

    /**
     * Has no switches yet; the library adds them by {@link #onSwitchConnected}.
     *
     * @param listener notified of switches, ports and cables
     * @param serials the serial number that a bridge was given over OVSDB, by its datapath-id; empty while its node has
     *     not told it
     * @param readLimitMillis how long reading a switch may take before it fails
     */
    public OpenFlowRuleChannel(final RuleListener listener, final LongFunction<Optional<String>> serials,
            final long readLimitMillis) {
        this.listener = listener;
        ways = new SwitchWays(serials, claims);
        reader = new SwitchReader(executor, readLimitMillis);
        cabling = new CablingProbe(ways::used);
        executor.scheduleWithFixedDelay(new Repeating("asking switches who they are", ways::check), CHECK_MILLIS,
            CHECK_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Registers our serializers and deserializers with the library; once, before it listens. */
    public static void prepare(final SwitchConnectionProvider library) {
        OutgoingMessages.register(library);
        MultipartReply.register(library);
    }

    @Override
    public boolean accept(final InetAddress switchAddress) {
        return true;
    }

    @Override
    public void onSwitchConnected(final ConnectionAdapter library) {
        final var connection = new OpenFlowConnection(library, listener, new Register());
        connections.add(connection);
        library.setSystemListener(connection);
        library.setMessageListener(connection);
        library.setConnectionReadyListener(connection::ready);
        library.setExecutorService(executor);
    }

    @Override
    public CompletionStage<InstalledState> read(final long datapathId) {
        final var session = ways.used(datapathId);
        return session == null ? notConnected(datapathId) : reader.read(session);
    }

    /** What each of our rules in a switch has counted. Fails if it cannot be read completely. */
    public CompletionStage<SortedMap<Rule.Key, Counted>> counted(final long datapathId) {
        final var session = ways.used(datapathId);
        return session == null ? notConnected(datapathId) : reader.counted(session);
    }

    @Override
    public CompletionStage<List<Refusal>> send(final long datapathId, final List<Message> messages) {
        final var session = ways.used(datapathId);
        return session == null ? notConnected(datapathId) : session.send(List.copyOf(messages));
    }

    @Override
    public CompletionStage<Map<Integer, Long>> held(final long datapathId) {
        final var session = ways.used(datapathId);
        if (session == null) {
            return notConnected(datapathId);
        }
        return session.within(HELD_MILLIS, "the question for the statistics of its ports",
            session.ask(OpenFlow13.OFPMP_PORT_STATS)).thenApply(parts -> {
                final Map<Integer, Long> held = new TreeMap<>();
                parts.forEach(part -> Decoder.held(part, held));
                return held;
            });
    }

    /** The peers that claimed a switch's datapath-id lately, and were turned away. */
    public List<Claim> claims() {
        return claims.now();
    }

    @Override
    public void watchCabling(final long datapathId, final Set<Integer> ports) {
        cabling.watch(datapathId, ports);
    }

    /** Ends all connections; what is in flight fails. Switches keep their rules and groups. */
    @Override
    public void close() {
        cabling.close();
        connections.forEach(connection -> connection.end("the controller stops"));
        executor.shutdown();
    }

    private static <T> CompletableFuture<T> notConnected(final long datapathId) {
        return CompletableFuture.failedFuture(new SwitchLostException(datapathId, "the switch is not connected"));
    }

    private final class Register implements OpenFlowConnection.Register {
        @Override
        public void identified(final SwitchWay way) {
            ways.offer(way);
        }

        @Override
        public void ended(final OpenFlowConnection connection, final SwitchSession session) {
            connections.remove(connection);
            if (session != null) {
                ways.ended(session);
            }
        }
    }
}
