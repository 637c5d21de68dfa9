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
    private static final Duration MOST_BACKOFF = Duration.ofSeconds(1);
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
    private final Counts counts = new Counts();
    private final Map<Integer, Port> ports = new TreeMap<>(Integer::compareUnsigned);
    private final Map<String, Port> byName = new HashMap<>();
    private final Map<String, Dialler> controllers = new LinkedHashMap<>();
    private final Set<Session> sessions = new LinkedHashSet<>();
    private final Loop loop;
    private final String name;
    private final long datapathId;
    private final Surroundings surroundings;
    private Optional<Long> generation = Optional.empty();
    private int missSendLength = DEFAULT_MISS_SEND_LENGTH;
    private int refusals;
    private boolean holdsBarriers;

    /** What is around a switch. */
    interface Surroundings {
        /** Takes a frame that the switch sends out of a port. */
        void sent(String port, byte[] frame);

        /** Hears that a connection to a controller was made or is no more. */
        void connected(String target, boolean is);
    }

    /** Describes a switch without ports. */
    SimSwitch(final Loop loop, final String name, final long datapathId, final Surroundings surroundings) {
        this.loop = loop;
        this.name = name;
        this.datapathId = datapathId;
        this.surroundings = surroundings;
    }

    String name() {
        return name;
    }

    long datapathId() {
        return datapathId;
    }

    FlowTable rules() {
        return rules;
    }

    GroupTable groups() {
        return groups;
    }

    Counts counts() {
        return counts;
    }

    Collection<Port> ports() {
        return ports.values();
    }

    Optional<Port> port(final String portName) {
        return Optional.ofNullable(byName.get(portName));
    }

    boolean hasPort(final int number) {
        return ports.containsKey(number);
    }

    Set<Session> sessions() {
        return sessions;
    }

    int missSendLength() {
        return missSendLength;
    }

    void missSendLength(final int length) {
        missSendLength = length;
    }

    /** Does what a message says, unless it is to refuse it. */
    void change(final FlowMod message) {
        if (refusals > 0 && message.command() <= FlowMod.MODIFY_STRICT) {
            refusals--;
            throw new Refused(OpenFlow.FLOW_MOD_FAILED, TABLE_FULL);
        }
        rules.apply(message, groups::has);
    }

    /** Refuses that many rules from now on: its table is full. */
    void refuse(final int count) {
        refusals = count;
    }

    boolean holdsBarriers() {
        return holdsBarriers;
    }

    /** Stops to answer barriers, or answers those that wait and all that follow. */
    void holdBarriers(final boolean hold) {
        holdsBarriers = hold;
        if (!hold) {
            sessions.forEach(Session::releaseBarriers);
        }
    }

    void add(final Port port) {
        ports.put(port.number, port);
        byName.put(port.name, port);
        status(ADD, port, port.hasCarrier() ? OpenFlow.LIVE : OpenFlow.LINK_DOWN);
    }

    void remove(final Port port) {
        ports.remove(port.number);
        byName.remove(port.name);
        status(DELETE, port, OpenFlow.LINK_DOWN);
    }

    /** A port's carrier came or went; told in two steps when it goes, as Open vSwitch does. */
    void carrier(final String portName, final boolean up) {
        final var port = byName.get(portName);
        if (port != null && port.hasCarrier() != up) {
            port.carrier(up);
            if (!up) {
                status(MODIFY, port, 0);
            }
            status(MODIFY, port, up ? OpenFlow.LIVE : OpenFlow.LINK_DOWN);
        }
    }

    private void status(final int reason, final Port port, final int state) {
        final var message = port.describe(new Frame(OpenFlow.PORT_STATUS, 0).u8(reason).pad(7), state).done();
        sessions.forEach(session -> session.tell(PORT_STATUS, reason, message));
    }

    /** Sends a frame out of a port; the way back in and other special ports lead nowhere here. */
    void send(final int number, final byte[] frame) {
        final var port = ports.get(number);
        if (port != null && port.hasCarrier()) {
            surroundings.sent(port.name, frame);
        }
    }

    /** A frame arrives. Only what rules send to the controller goes any further. */
    void arrive(final String portName, final byte[] frame) {
        final var port = byName.get(portName);
        if (port == null || !port.hasCarrier()) {
            return;
        }
        rules.lookup(Oxm.packet(port.number, frame)).filter(rule ->
            rule.instructions.leavesBy(OpenFlow.PORT_CONTROLLER)).ifPresent(rule -> {
                final int reason = rule.priority() == 0 && rule.match().length == 0 ? NO_MATCH : ACTION;
                final ByteBuffer message = new Frame(OpenFlow.PACKET_IN, 0).u32(OpenFlow.NO_BUFFER).u16(frame.length)
                    .u8(reason).u8(rule.table()).u64(rule.cookie).match(Oxm.inPort(port.number)).pad(2).put(frame)
                    .done();
                sessions.forEach(session -> session.tell(PACKET_IN, reason, message));
            });
    }

    /** Connects to these controllers, {@code tcp:HOST:PORT}, and no others. */
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
                    new InetSocketAddress(parts[1], Integer.parseInt(parts[2])), MOST_BACKOFF,
                    () -> new Session(loop, this, target, () -> controllers.get(target).drop())));
            }
        }
    }

    boolean isConnected() {
        return !sessions.isEmpty();
    }

    void drop() {
        controllers.values().forEach(Dialler::drop);
    }

    void opened(final Session session) {
        sessions.add(session);
        surroundings.connected(session.target(), true);
    }

    void lost(final Session session) {
        sessions.remove(session);
        surroundings.connected(session.target(), false);
    }

    /** Whether a controller that wants to be master or slave is no late-comer; remembers the newest election. */
    boolean isCurrent(final long election) {
        if (generation.isPresent() && election - generation.orElseThrow() < 0) {
            return false;
        }
        generation = Optional.of(election);
        return true;
    }

    /** Of the last election; all ones before the first. */
    long generation() {
        return generation.orElse(-1L);
    }
}
