package org.daqfabric.impl.openflow;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;
import org.daqfabric.api.program.Message;
import org.daqfabric.api.program.Rule;
import org.daqfabric.impl.async.Repeating;
import org.daqfabric.impl.controller.spi.InstalledState;
import org.daqfabric.impl.controller.spi.ProofChannel;
import org.daqfabric.impl.controller.spi.RuleChannel;
import org.daqfabric.impl.controller.spi.RuleListener;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Claim;
import org.daqfabric.impl.engine.doctor.Pace;
import org.daqfabric.impl.engine.loss.PortCount;
import org.daqfabric.impl.engine.loss.SwitchCounts;
import org.daqfabric.impl.engine.traffic.Counted;
import org.daqfabric.impl.peers.AddressCredits;
import org.daqfabric.impl.peers.Arrivals;
import org.daqfabric.impl.peers.HeldConnections;
import org.daqfabric.impl.peers.Limit;
import org.daqfabric.impl.peers.PeerLog;
import org.daqfabric.impl.peers.Places;
import org.daqfabric.impl.peers.Places.Refused;
import org.daqfabric.impl.peers.Refusals;
import org.daqfabric.impl.peers.WantedAddresses;
import org.eclipse.jdt.annotation.Nullable;
import org.opendaylight.openflowjava.protocol.api.connection.ConnectionAdapter;
import org.opendaylight.openflowjava.protocol.api.connection.SwitchConnectionHandler;
import org.opendaylight.openflowjava.protocol.spi.connection.SwitchConnectionProvider;

/**
 * The rules and groups of connected switches, over connections of OpenDaylight's OpenFlow library. Every member of a
 * cluster has one, with connections of its own to all switches.
 */
public final class OpenFlowRuleChannel implements RuleChannel, ProofChannel, SwitchConnectionHandler,
        AutoCloseable {
    private static final int THREADS = 2;
    private static final long HELD_MILLIS = 5000;
    /** A switch that takes longer keeps the others of a round waiting. */
    private static final long COUNT_MILLIS = 500;

    /** A connection with a queue takes 180 kB, so those in no fabric are few; a stranger's has none yet. */
    private static final Places.Limits PLACES = new Places.Limits(4096, 1024, 128, 512);
    /** Characters at the beginning of a reason by which two reasons count as the same. */
    private static final int REASON_PREFIX = 24;
    /** How often connections are asked again that have not proven to be their switch's. */
    private static final long CHECK_MILLIS = 1000;
    /** How long a switch may be busy with an answer that has all its rules, and with one change. */
    private static final long READ_MILLIS = 4000;
    private static final long CHANGE_MILLIS = 1;

    private final ScheduledExecutorService executor = Executors.newScheduledThreadPool(THREADS,
        Thread.ofPlatform().daemon().name("daqfabric-openflow-", 0).factory());
    private final ChangeLimit changes = new ChangeLimit();
    private final Claims claims = new Claims();
    private final SwitchWays ways;
    private final LateSwitches late;
    /** With the guard of each. */
    private final Map<OpenFlowConnection, ChannelGuard> connections = new ConcurrentHashMap<>();
    private final HandshakeBytes handshakes = new HandshakeBytes();
    private final Refusals refusals = new Refusals("OpenFlow");
    private final PeerLog log = new PeerLog();
    private final Places<OpenFlowConnection> places;
    private final Arrivals arrivals;
    private final HeldConnections<Channel> turnedAway;
    /** Whether arrivals are checked before the library sees them: from the first connection on, which tells where. */
    private volatile boolean checked;
    private final Peers peers;
    private final ToldSwitches listener;
    private final SwitchReader reader;
    private final CablingProbe cabling;
    private final ProofReceivers proofs = new ProofReceivers();

    /** Who may connect. */
    public interface Peers {
        /** The serial number that a bridge was given over OVSDB; empty while its node has not told it. */
        Optional<String> serialOf(long datapathId);

        /** Whether a fabric has a switch of that datapath-id. */
        boolean isKnown(long datapathId);

        /** Whether the bridge of that datapath-id belongs to another installation: nothing is sent to it. */
        boolean isOthers(long datapathId);

        /** Where nodes of fabrics are. */
        WantedAddresses addresses();

        /** What peers of other addresses may cost. */
        AddressCredits credits();
    }

    /**
     * Has no switches yet; the library adds them by {@link #onSwitchConnected}.
     *
     * @param listener notified of switches, ports and cables
     * @param readLimitMillis how long reading a switch may take before it fails
     */
    public OpenFlowRuleChannel(final RuleListener listener, final Peers peers, final long readLimitMillis) {
        this.listener = new ToldSwitches(listener, peers::isOthers);
        this.peers = peers;
        places = new Places<>(PLACES, peers.addresses());
        arrivals = new Arrivals(peers.addresses());
        turnedAway = new HeldConnections<>(peers.addresses());
        ways = new SwitchWays(peers::serialOf, claims);
        late = new LateSwitches(ways::inUse, id -> peers.isKnown(id) && !peers.isOthers(id), System::nanoTime);
        reader = new SwitchReader(executor, readLimitMillis);
        cabling = new CablingProbe(this::used);
        executor.scheduleWithFixedDelay(new Repeating("asking switches who they are", executor, this::check),
            CHECK_MILLIS, CHECK_MILLIS, TimeUnit.MILLISECONDS);
        executor.scheduleWithFixedDelay(new Repeating("asking switches whether they answer", executor, late::round),
            Pace.ROUND, Pace.ROUND, TimeUnit.NANOSECONDS);
    }

    /** Registers our serializers and deserializers with the library; once, before it listens. */
    public static void prepare(final SwitchConnectionProvider library) {
        OutgoingMessages.register(library);
        MultipartReply.register(library);
        IncomingErrors.register(library);
    }

    @Override
    public boolean accept(final InetAddress address) {
        return checked || admits(address);
    }

    private boolean admits(final InetAddress address) {
        final boolean admitted = arrivals.admits(address, System.nanoTime());
        if (!admitted) {
            refusals.add(address, Limit.ARRIVALS, "it connects too often");
        }
        return admitted;
    }

    @Override
    public void onSwitchConnected(final ConnectionAdapter library) {
        final var connection = new OpenFlowConnection(library, listener, new Register());
        final var remote = library.getRemoteAddress();
        final var guard = new ChannelGuard(handshakes, peers.credits(), connection.address(), connection::refuse);
        final var channel = LibraryChannel.of(library);
        channel.pipeline().addFirst("daqfabric", guard);
        if (channel.parent() != null) {
            ArrivalHandler.putAt(channel.parent(), turnedAway, this::admits);
            checked = true;
        }
        connections.put(connection, guard);
        library.setSystemListener(connection);
        library.setMessageListener(connection);
        library.setConnectionReadyListener(connection::ready);
        library.setExecutorService(executor);
        if (remote == null) {
            connection.end("it has ended before it began");
            return;
        }
        connection.begin();
        refuse(places.arrived(connection, remote.getAddress(), false));
    }

    private static void refuse(final List<Refused<OpenFlowConnection>> refused) {
        refused.forEach(each -> each.connection().refuse(each.limit(), each.why()));
    }

    /** The session of a switch that is ours to use; null if there is none. */
    private @Nullable SwitchSession used(final long datapathId) {
        return peers.isOthers(datapathId) ? null : ways.used(datapathId);
    }

    private void check() {
        listener.check();
        ways.check();
        connections.keySet().forEach(this::standing);
    }

    /** A connection is wanted if it is accepted as one of a switch that is in a fabric. */
    private void standing(final OpenFlowConnection connection) {
        final var session = connection.session();
        final boolean wanted = session != null && ways.isKept(session) && peers.isKnown(session.datapathId());
        places.wanted(connection, wanted);
        if (wanted) {
            // a stranger may describe itself, be refused and come again
            refusals.accepted(connection.address());
        }
    }

    /** Peers that were refused lately, by address, with the reason. */
    public SortedMap<String, String> refusedPeers() {
        return refusals.reasons();
    }

    /** How many peers were refused for each limit. */
    public SortedMap<String, Long> refusals() {
        return refusals.counts();
    }

    @Override
    public CompletionStage<InstalledState> read(final long datapathId) {
        final var session = used(datapathId);
        if (session == null) {
            return notConnected(datapathId);
        }
        session.watchRules(); // before it is read, so that no change is missed
        return late.during(datapathId, READ_MILLIS, reader.read(session));
    }

    /** What each of our rules in a switch has counted. Fails if it cannot be read completely. */
    public CompletionStage<SortedMap<Rule.Key, Counted>> counted(final long datapathId) {
        final var session = used(datapathId);
        return session == null ? notConnected(datapathId)
            : late.during(datapathId, READ_MILLIS, reader.counted(session));
    }

    @Override
    public CompletionStage<List<Refusal>> send(final long datapathId, final List<Message> messages) {
        // the changes are from what this connection has read: they fail with it, however long they wait
        final var session = used(datapathId);
        return session == null ? notConnected(datapathId)
            : changes.send(messages.size(), () -> used(datapathId) != session ? notConnected(datapathId)
                : late.during(datapathId, CHANGE_MILLIS * messages.size(), session.send(List.copyOf(messages))));
    }

    @Override
    public CompletionStage<Map<Integer, Long>> held(final long datapathId) {
        final var session = used(datapathId);
        return session == null ? notConnected(datapathId) : ofPorts(session, HELD_MILLIS, Decoder::held);
    }

    @Override
    public CompletionStage<Map<Integer, PortCount>> count(final long datapathId) {
        final var session = used(datapathId);
        return session == null ? notConnected(datapathId)
            : ofPorts(session, COUNT_MILLIS, Decoder::counted).thenApply(session.frames()::addTo);
    }

    @Override
    public CompletionStage<SwitchCounts> account(final long datapathId) {
        final var session = used(datapathId);
        return session == null ? notConnected(datapathId)
            : late.during(datapathId, READ_MILLIS, reader.account(session));
    }

    @Override
    public void fill(final long datapathId, final List<Integer> ports, final int frames, final int payload) {
        final var session = used(datapathId);
        if (session != null) {
            session.transmit(frames * ports.size(),
                out -> Encoder.packetOut(out, 0, ports, FillFrame.bytes(payload), frames));
        }
    }

    /** What each part of an answer with the statistics of all ports adds, by number of the port. */
    private static <T> CompletionStage<Map<Integer, T>> ofPorts(final SwitchSession session, final long millis,
            final BiConsumer<ByteBuf, Map<Integer, T>> decode) {
        return session.within(millis, "the question for the statistics of its ports",
            session.ask(OpenFlow13.OFPMP_PORT_STATS)).thenApply(parts -> SwitchReader.counted(parts, decode));
    }

    @Override
    public void clearPortBits(final long datapathId, final int port) {
        final var session = used(datapathId);
        if (session != null) {
            session.clearBits(port);
        }
    }

    /** The switches that answer late, by datapath-id. */
    public Set<Long> late() {
        return late.now();
    }

    /** The peers that claimed a switch's datapath-id lately, and were turned away. */
    public List<Claim> claims() {
        return claims.now();
    }

    @Override
    public void watchCabling(final long datapathId, final Set<Integer> ports) {
        cabling.watch(datapathId, ports);
    }

    @Override
    public void transmit(final long datapathId, final List<Frame> frames) {
        final var session = used(datapathId);
        if (session != null) {
            transmit(session, frames);
        }
    }

    private static void transmit(final SwitchSession session, final List<Frame> frames) {
        session.transmit(frames.size(), out ->
            frames.forEach(each -> Encoder.packetOut(out, 0, List.of(each.port()), each.bytes(), 1)));
    }

    @Override
    public boolean isConnected(final long datapathId) {
        return used(datapathId) != null;
    }

    @Override
    public CompletionStage<Void> transmitConfirmed(final long datapathId, final Frame frame) {
        final var session = used(datapathId);
        if (session == null) {
            return notConnected(datapathId);
        }
        transmit(session, List.of(frame));
        return session.send(List.of()).thenApply(refused -> null);
    }

    @Override
    public void receiveProofs(final long sender, final @Nullable LongConsumer receiver) {
        proofs.set(sender, receiver);
    }

    /** Ends all connections; what is in flight fails. Switches keep their rules and groups. */
    @Override
    public void close() {
        cabling.close();
        connections.keySet().forEach(connection -> connection.end("the controller stops"));
        executor.shutdown();
    }

    private <T> CompletableFuture<T> notConnected(final long datapathId) {
        return CompletableFuture.failedFuture(new SwitchLostException(datapathId, peers.isOthers(datapathId)
            ? "its bridge belongs to another installation" : "the switch is not connected"));
    }

    private final class Register implements OpenFlowConnection.Register {
        @Override
        public void identified(final OpenFlowConnection connection, final SwitchWay way) {
            final var guard = connections.get(connection);
            if (guard == null) {
                return; // it has ended meanwhile
            }
            guard.described();
            refuse(places.named(connection));
            ways.offer(way);
            standing(connection);
        }

        @Override
        public void proofArrived(final byte[] frame) {
            proofs.arrived(frame);
        }

        @Override
        public int maxPorts(final OpenFlowConnection connection, final long datapathId) {
            final int most = peers.isKnown(datapathId) ? SwitchSession.MAX_PORTS : SwitchSession.MAX_PORTS_OF_STRANGER;
            final var guard = connections.get(connection);
            if (guard != null) {
                guard.named(most);
            }
            return most;
        }

        @Override
        public void refused(final OpenFlowConnection connection, final Limit limit, final String why) {
            refusals.add(connection.address(), limit, why);
        }

        @Override
        public boolean isLogged(final OpenFlowConnection connection, final String why) {
            return places.isWanted(connection) || log.isLogged(connection.address().getHostAddress(),
                why.substring(0, Math.min(why.length(), REASON_PREFIX)));
        }

        @Override
        public void ended(final OpenFlowConnection connection, final SwitchSession session) {
            connections.remove(connection);
            places.ended(connection);
            if (session != null) {
                ways.ended(session);
            }
        }
    }
}
