package org.daqfabric.it.sim;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** A bridge: its ports, rules and groups, and its connections to controllers. */
final class SimSwitch {
    private static final Duration MAX_BACKOFF = Duration.ofSeconds(1);
    private static final int ADD = 0;
    private static final int DELETE = 1;
    private static final int MODIFY = 2;
    private static final int PACKET_IN = 0;
    private static final int PORT_STATUS = 2;
    private static final int NO_MATCH = 0;
    private static final int ACTION = 1;
    private static final int DEFAULT_MISS_SEND_LENGTH = 128;
    private static final int TABLE_FULL = 1;

    private final FlowTable rules = new FlowTable();
    private final GroupTable groups = new GroupTable();
    private final MessageCounts counts = new MessageCounts();
    private final Map<Integer, Port> ports = new TreeMap<>(Integer::compareUnsigned);
    private final Map<String, Port> portsByName = new HashMap<>();
    private final Map<String, Dialler> controllers = new LinkedHashMap<>();
    private final Set<OpenFlowSession> sessions = new LinkedHashSet<>();
    private final EventLoop loop;
    private final String name;
    private final long datapathId;
    private final Environment environment;
    private String serial = "None";
    private Optional<Long> generation = Optional.empty();
    private int missSendLength = DEFAULT_MISS_SEND_LENGTH;
    private int refusalsLeft;
    private boolean holdsBarriers;

    /** What a switch is connected to. */
    interface Environment {
        /** Receives a frame that the switch sends out of a port. */
        void sent(String port, byte[] frame);

        /** Called when a connection to a controller opens or closes. */
        void connected(String target, boolean is);
    }

    /** Creates a switch without ports. */
    SimSwitch(final EventLoop loop, final String name, final long datapathId, final Environment environment) {
        this.loop = loop;
        this.name = name;
        this.datapathId = datapathId;
        this.environment = environment;
    }

    String name() {
        return name;
    }

    long datapathId() {
        return datapathId;
    }

    String serial() {
        return serial;
    }

    void serial(final String number) {
        serial = number;
    }

    FlowTable rules() {
        return rules;
    }

    GroupTable groups() {
        return groups;
    }

    MessageCounts counts() {
        return counts;
    }

    Collection<Port> ports() {
        return ports.values();
    }

    Optional<Port> port(final String portName) {
        return Optional.ofNullable(portsByName.get(portName));
    }

    boolean hasPort(final int number) {
        return ports.containsKey(number);
    }

    Set<OpenFlowSession> sessions() {
        return sessions;
    }

    int missSendLength() {
        return missSendLength;
    }

    void missSendLength(final int length) {
        missSendLength = length;
    }

    /** Applies a flow-mod, unless the switch has been told to refuse it. */
    void change(final FlowMod message) {
        if (refusalsLeft > 0 && message.command() <= FlowMod.MODIFY_STRICT) {
            refusalsLeft--;
            throw new OpenFlowError(OpenFlow.FLOW_MOD_FAILED, TABLE_FULL);
        }
        rules.apply(message, groups::has);
    }

    /** Refuses the next rules, as many as given, as if the table were full. */
    void refuse(final int count) {
        refusalsLeft = count;
    }

    boolean holdsBarriers() {
        return holdsBarriers;
    }

    /** Holds back replies to barriers, or sends the ones held back and all that follow. */
    void holdBarriers(final boolean hold) {
        holdsBarriers = hold;
        if (!hold) {
            sessions.forEach(OpenFlowSession::releaseBarriers);
        }
    }

    void add(final Port port) {
        ports.put(port.number, port);
        portsByName.put(port.name, port);
        sendPortStatus(ADD, port, port.hasCarrier() ? OpenFlow.LIVE : OpenFlow.LINK_DOWN);
    }

    void remove(final Port port) {
        ports.remove(port.number);
        portsByName.remove(port.name);
        sendPortStatus(DELETE, port, OpenFlow.LINK_DOWN);
    }

    /** Sets the carrier of a port. Its loss is reported in two steps, as by Open vSwitch. */
    void carrier(final String portName, final boolean up) {
        final var port = portsByName.get(portName);
        if (port != null && port.hasCarrier() != up) {
            port.carrier(up);
            if (!up) {
                sendPortStatus(MODIFY, port, 0);
            }
            sendPortStatus(MODIFY, port, up ? OpenFlow.LIVE : OpenFlow.LINK_DOWN);
        }
    }

    private void sendPortStatus(final int reason, final Port port, final int state) {
        final var message = port.describe(new MessageBuilder(OpenFlow.PORT_STATUS, 0).u8(reason).pad(7), state).done();
        sessions.forEach(session -> session.sendAsync(PORT_STATUS, reason, message));
    }

    void send(final PacketOut packet) {
        packet.ports().forEach(port -> {
            if (port == OpenFlow.PORT_TABLE) {
                process(packet.inPort(), packet.frame());
            } else {
                send(port, packet.frame());
            }
        });
    }

    /** Sends a frame out of a port; what a daqring lets out comes in by it. Special ports are ignored. */
    void send(final int number, final byte[] frame) {
        final var port = ports.get(number);
        if (port == null || !port.hasCarrier()) {
            return;
        }
        port.transmit();
        if (port.isRing) {
            port.receive();
            process(number, frame);
        } else {
            environment.sent(port.name, frame);
        }
    }

    /** Receives a frame. */
    void arrive(final String portName, final byte[] frame) {
        final var port = portsByName.get(portName);
        if (port != null && port.hasCarrier()) {
            port.receive();
            process(port.number, frame);
        }
    }

    private void process(final int inPort, final byte[] frame) {
        rules.lookup(Oxm.packet(inPort, frame)).ifPresent(rule -> {
            rule.count();
            if (rule.instructions.leavesBy(OpenFlow.PORT_CONTROLLER)) {
                report(inPort, frame, rule);
            } else {
                new Forwarding(this, inPort).execute(rule, frame);
            }
        });
    }

    private void report(final int inPort, final byte[] frame, final Rule rule) {
        final int reason = rule.priority() == 0 && rule.match().length == 0 ? NO_MATCH : ACTION;
        final ByteBuffer message = new MessageBuilder(OpenFlow.PACKET_IN,
            0).u32(OpenFlow.NO_BUFFER).u16(frame.length)
            .u8(reason).u8(rule.table()).u64(rule.cookie).match(Oxm.inPort(inPort)).pad(2).put(frame)
            .done();
        sessions.forEach(session -> session.sendAsync(PACKET_IN, reason, message));
    }

    /** Whether a port that a bucket watches can send. */
    boolean isLive(final int number) {
        final var port = ports.get(number);
        return port != null && port.hasCarrier();
    }

    /** Connects to exactly these controllers, {@code tcp:HOST:PORT}. */
    void controllers(final Set<String> targets) {
        controllers.entrySet().removeIf(entry -> {
            if (!targets.contains(entry.getKey())) {
                entry.getValue().stop();
                return true;
            }
            return false;
        });
        for (var target : targets) {
            final var parts = target.split(":");
            if (parts.length == 3 && parts[0].equals("tcp")) {
                controllers.computeIfAbsent(target, unused -> new Dialler(loop,
                    new InetSocketAddress(parts[1], Integer.parseInt(parts[2])), MAX_BACKOFF,
                    () -> new OpenFlowSession(loop, this, target, () -> controllers.get(target).drop())));
            }
        }
    }

    boolean isConnected() {
        return !sessions.isEmpty();
    }

    void drop() {
        controllers.values().forEach(Dialler::drop);
    }

    void opened(final OpenFlowSession session) {
        sessions.add(session);
        environment.connected(session.target(), true);
    }

    void lost(final OpenFlowSession session) {
        sessions.remove(session);
        environment.connected(session.target(), false);
    }

    /** Whether the generation id of a role request is not stale; remembers the newest. */
    boolean isCurrent(final long election) {
        if (generation.isPresent() && election - generation.orElseThrow() < 0) {
            return false;
        }
        generation = Optional.of(election);
        return true;
    }

    /** Generation id of the last role request; all ones before the first. */
    long generation() {
        return generation.orElse(-1L);
    }
}
