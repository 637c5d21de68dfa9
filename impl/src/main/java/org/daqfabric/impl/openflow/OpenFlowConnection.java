package org.daqfabric.impl.openflow;

import com.google.common.util.concurrent.FutureCallback;
import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import com.google.common.util.concurrent.MoreExecutors;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.netty.buffer.ByteBuf;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.daqfabric.impl.controller.spi.RuleListener;
import org.daqfabric.impl.peers.Limit;
import org.daqfabric.impl.text.ForeignText;
import org.eclipse.jdt.annotation.Nullable;
import org.opendaylight.openflowjava.protocol.api.connection.ConnectionAdapter;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.common.types.rev130731.PortReason;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.EchoInputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.EchoOutput;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.EchoReplyInputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.EchoRequestMessage;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.ErrorMessage;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.ExperimenterMessage;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.FlowRemovedMessage;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.GetFeaturesInputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.GetFeaturesOutput;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.HelloInputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.HelloMessage;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.MultipartReplyMessage;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.PacketInMessage;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.PortStatusMessage;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.system.rev130927.DisconnectEvent;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.system.rev130927.SslConnectionError;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.system.rev130927.SwitchIdleEvent;
import org.opendaylight.yangtools.yang.common.RpcResult;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection of OpenDaylight's OpenFlow library: exchanges hello and features with the switch, and from then on
 * passes its messages to its {@link SwitchSession}. Requests no role, so the switch treats all its controllers as
 * equal; the controllers decide among themselves which of them sends anything.
 */
final class OpenFlowConnection implements ConnectionAdapter.SystemListener, ConnectionAdapter.MessageListener {
    private static final Logger LOG = LoggerFactory.getLogger(OpenFlowConnection.class);
    /** How long a switch may take from its connection to the answer that describes it and its ports. */
    private static final long HANDSHAKE_SECONDS = 10;
    /** How long a silent switch may take to answer an echo; one that runs answers at once. */
    private static final long ECHO_SECONDS = 4;
    /**
     * The library keeps requests until a barrier is answered, and adds a barrier after so many requests or so much time
     * without one. For that time it also keeps a connection that has ended, with a queue of 180 kB, and hundreds of
     * switches may connect and disconnect.
     */
    private static final int REQUESTS_PER_BARRIER = 256;
    private static final long NANOS_PER_BARRIER = TimeUnit.SECONDS.toNanos(10);
    /** Of messages sent without the queue: its own xids count from zero, and it takes every answer with one of them. */
    private static final Uint32 XID_OUTSIDE_QUEUE = Uint32.MAX_VALUE;
    /** Of an echo that asks whether the switch is there; the one above would take the place of another echo. */
    private static final Uint32 XID_OF_PROBE = Uint32.valueOf(0xfffffffeL);
    /** How long a switch whose place another one wants may take to answer. */
    private static final long PROBE_SECONDS = 1;

    private final ConnectionAdapter library;
    private final RuleListener listener;
    private final Register register;
    /** Done once the switch has described itself or the connection has ended: then no timer waits. */
    private final CompletableFuture<Void> description = new CompletableFuture<>();
    private final AtomicBoolean begun = new AtomicBoolean();
    @GuardedBy("this")
    private boolean ready;
    @GuardedBy("this")
    private boolean helloReceived;
    @GuardedBy("this")
    private @Nullable SwitchSession session;

    /** Where connections and their sessions are kept. */
    interface Register {
        /** The switch has said who it is and what ports it has. */
        void identified(OpenFlowConnection connection, SwitchWay way);

        /** A frame has arrived by which perhaps a path is proven. */
        void proofArrived(byte[] frame);

        /** How many ports a switch may have that has said who it is. */
        int maxPorts(OpenFlowConnection connection, long datapathId);

        /** The peer exceeds a limit; its connection is ended then. */
        void refused(OpenFlowConnection connection, Limit limit, String why);

        /** Whether to log what ends a connection: peers in no fabric could fill the log with it. */
        boolean isLogged(OpenFlowConnection connection, String why);

        /** The session is null if there was none yet. */
        void ended(OpenFlowConnection connection, @Nullable SwitchSession session);
    }

    OpenFlowConnection(final ConnectionAdapter library, final RuleListener listener, final Register register) {
        this.library = library;
        this.listener = listener;
        this.register = register;
    }

    /** The connection was made: the peer's time runs. */
    void begin() {
        description.orTimeout(HANDSHAKE_SECONDS, TimeUnit.SECONDS).exceptionallyAsync(late -> {
            refuse(Limit.TIME, "it did not describe itself and its ports within " + HANDSHAKE_SECONDS + " s");
            return null;
        });
    }

    /**
     * The transport is ready: both sides send hello at once. Over TLS the library says so twice, after the handshake
     * and at the first bytes, and discards the first question for the features when it is asked again.
     */
    void ready() {
        if (begun.getAndSet(true)) {
            return;
        }
        library.hello(new HelloInputBuilder().setVersion(OpenFlow13.VERSION).setXid(XID_OUTSIDE_QUEUE).build());
        synchronized (this) {
            ready = true;
        }
        askFeatures();
    }

    @Override
    public void onHello(final HelloMessage hello) {
        if (hello.getVersion().compareTo(OpenFlow13.VERSION) < 0) {
            end("it speaks OpenFlow up to wire version " + hello.getVersion() + " only: set the bridge's protocols to"
                + " OpenFlow13");
            return;
        }
        synchronized (this) {
            helloReceived = true;
        }
        askFeatures();
    }

    private void askFeatures() {
        synchronized (this) {
            if (!ready || !helloReceived) {
                return;
            }
            ready = false;
        }
        answer(library.getFeatures(new GetFeaturesInputBuilder().setVersion(OpenFlow13.VERSION)
            .setXid(XID_OUTSIDE_QUEUE).build()), this::identified);
    }

    private void identified(final GetFeaturesOutput features) {
        final long datapathId = features.getDatapathId().longValue();
        final var queues = new Queues();
        library.registerOutboundQueueHandler(queues, REQUESTS_PER_BARRIER, NANOS_PER_BARRIER);
        final var opened = new SwitchSession(datapathId, queues.queue(), listener, this::refuse,
            register.maxPorts(this, datapathId));
        synchronized (this) {
            session = opened;
        }
        library.setAlienMessageListener(opened::takes);
        opened.ask(OpenFlow13.OFPMP_DESC).thenCombine(opened.ask(OpenFlow13.OFPMP_PORT_DESC),
            (said, parts) -> new Way(opened, serial(said), Decoder.ports(parts))).thenAccept(way -> {
                description.complete(null);
                register.identified(this, way);
            }).exceptionally(cause -> {
                end("it did not describe itself and its ports: " + cause.getMessage());
                return null;
            });
    }

    private static String serial(final List<ByteBuf> description) {
        return description.stream().findFirst().map(Decoder::serial).orElse("");
    }

    /** Continues with an answer, or ends the connection if there is none. */
    private <T> void answer(final ListenableFuture<RpcResult<T>> question, final Consumer<T> then) {
        Futures.addCallback(question, new FutureCallback<>() {
            @Override
            public void onSuccess(final RpcResult<T> answer) {
                if (answer.isSuccessful()) {
                    then.accept(answer.getResult());
                } else {
                    end(answer.getErrors().toString());
                }
            }

            @Override
            public void onFailure(final Throwable cause) {
                end(cause.getMessage());
            }
        }, MoreExecutors.directExecutor());
    }

    /** The peer's. */
    InetAddress address() {
        final var remote = library.getRemoteAddress();
        return remote == null ? InetAddress.getLoopbackAddress() : remote.getAddress();
    }

    /** Null before the switch has sent its datapath-id. */
    synchronized @Nullable SwitchSession session() {
        return session;
    }

    /** Ends the connection; the switch makes a new one. */
    void end(final String why) {
        if (library.isAlive() && register.isLogged(this, why)) {
            LOG.info("OpenFlow connection from {} ended: {}", library.getRemoteAddress(),
                ForeignText.shown(String.valueOf(why)));
        }
        disconnect(why);
    }

    /** Ends the connection of a peer that exceeds a limit, unless it has ended already. */
    void refuse(final Limit limit, final String why) {
        if (library.isAlive()) {
            register.refused(this, limit, why);
            disconnect(why);
        }
    }

    private void disconnect(final String why) {
        if (library.isAlive()) {
            library.disconnect();
        }
        lost(why);
    }

    private void lost(final String why) {
        description.complete(null);
        final var before = session();
        if (before != null) {
            // told before another connection of the switch can take its place: it would seem to be the one that ended
            before.close(why);
        }
        register.ended(this, before);
    }

    @Override
    public void onDisconnect(final DisconnectEvent event) {
        lost("the switch disconnected");
    }

    @Override
    public void onSwitchIdle(final SwitchIdleEvent event) {
        final var echo = library.echo(
            new EchoInputBuilder().setVersion(OpenFlow13.VERSION).setXid(XID_OUTSIDE_QUEUE).setData(new byte[0])
            .build());
        CompletableFuture.delayedExecutor(ECHO_SECONDS, TimeUnit.SECONDS).execute(() -> {
            if (!echo.isDone() && description.isDone()) {
                end("it is silent");
            } else if (!echo.isDone()) {
                refuse(Limit.TIME, "it is silent, and has not described itself and its ports");
            }
        });
    }

    @Override
    public void onSslConnectionError(final SslConnectionError error) {
        if (register.isLogged(this, "TLS")) {
            LOG.warn("OpenFlow over TLS with {} failed: {}", library.getRemoteAddress(),
                ForeignText.shown(String.valueOf(error.getInfo())));
        }
    }

    @Override
    public void onError(final ErrorMessage error) {
        final var before = session();
        if (before != null) {
            before.error(error);
        }
    }

    @Override
    public void onPortStatus(final PortStatusMessage status) {
        final var before = session();
        final int number = status.getPortNo().intValue();
        if (before == null || !OpenFlow13.isPort(number)) {
            return;
        }
        if (status.getReason() == PortReason.OFPPRDELETE) {
            before.portGone(number);
        } else {
            before.port(number, PortStatusReport.of(status));
        }
    }

    @Override
    public void onPacketIn(final PacketInMessage packet) {
        final var before = session();
        if (before != null && packet.getData() != null && packet.getMatch() != null) {
            before.frames().received();
            PacketIns.read(packet, register::proofArrived, (port, peer) ->
                listener.peerSeen(before.datapathId(), port, peer.datapathId(), peer.port()));
        }
    }

    /** Called only until there is a queue, which answers from then on. */
    @Override
    public void onEchoRequest(final EchoRequestMessage echo) {
        library.echoReply(new EchoReplyInputBuilder().setVersion(OpenFlow13.VERSION).setXid(echo.getXid())
            .setData(echo.getData()).build());
    }

    @Override
    public void onExperimenter(final ExperimenterMessage message) {
        // none is used
    }

    @Override
    public void onFlowRemoved(final FlowRemovedMessage message) {
        // no rule requests it
    }

    @Override
    public void onMultipartReply(final MultipartReplyMessage message) {
        // arrives as our MultipartReply instead
    }

    /** This connection, once the switch has said who it is. */
    private final class Way implements SwitchWay {
        private final SwitchSession session;
        private final String serial;
        private final Map<Integer, PortReport> ports;

        Way(final SwitchSession session, final String serial, final Map<Integer, PortReport> ports) {
            this.session = session;
            this.serial = serial;
            this.ports = ports;
        }

        @Override
        public String address() {
            return OpenFlowConnection.this.address().getHostAddress();
        }

        @Override
        public SwitchSession session() {
            return session;
        }

        @Override
        public Executor reader() {
            return LibraryChannel.of(library).eventLoop();
        }

        @Override
        public Map<Integer, PortReport> ports() {
            return ports;
        }

        @Override
        public String serial() {
            return serial;
        }

        @Override
        public CompletableFuture<String> askSerial() {
            return session.ask(OpenFlow13.OFPMP_DESC).thenApply(OpenFlowConnection::serial)
                .completeOnTimeout("", PROBE_SECONDS, TimeUnit.SECONDS).exceptionally(cause -> "");
        }

        @Override
        public CompletableFuture<Boolean> isAlive() {
            final var answered = new CompletableFuture<Boolean>().completeOnTimeout(false, PROBE_SECONDS,
                TimeUnit.SECONDS);
            Futures.addCallback(library.echo(new EchoInputBuilder().setVersion(OpenFlow13.VERSION)
                .setXid(XID_OF_PROBE).setData(new byte[0]).build()), new FutureCallback<>() {
                    @Override
                    public void onSuccess(final RpcResult<EchoOutput> answer) {
                        answered.complete(answer.isSuccessful());
                    }

                    @Override
                    public void onFailure(final Throwable cause) {
                        answered.complete(false);
                    }
                }, MoreExecutors.directExecutor());
            return answered;
        }

        @Override
        public void end(final String why) {
            OpenFlowConnection.this.end(why);
        }

        @Override
        public void turnAway(final String why) {
            disconnect(why);
        }
    }
}
