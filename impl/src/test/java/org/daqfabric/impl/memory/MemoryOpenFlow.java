package org.daqfabric.impl.memory;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.daqfabric.api.program.Action;
import org.daqfabric.api.program.Message;
import org.daqfabric.api.spec.Dcm;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.state.PortBit;
import org.daqfabric.impl.controller.spi.InstalledState;
import org.daqfabric.impl.controller.spi.RuleChannel;
import org.daqfabric.impl.engine.diff.Applied;
import org.daqfabric.impl.engine.topology.Segment;

/** The OpenFlow side of a network in memory: connections, programs, port states and cabling probes. */
final class MemoryOpenFlow implements RuleChannel {
    private final Map<Long, MemorySwitch> byDatapath = new HashMap<>();
    private final Map<Long, Set<Integer>> probedPorts = new TreeMap<>();
    private final NetworkState state;
    private int messages;
    private int cleared;

    MemoryOpenFlow(NetworkState state) {
        this.state = state;
    }

    void add(MemorySwitch added) {
        byDatapath.putIfAbsent(added.datapathId, added);
    }

    void connect(MemorySwitch to) {
        byDatapath.put(to.datapathId, to);
        to.connected = true;
        state.deliveries.send(to.openFlow(), () -> state.ruleListener.switchConnected(to.datapathId));
        to.bridge.ifPresent(bridge -> bridge.ports().forEach((name, port) -> reportPort(to, name, port.number())));
    }

    void disconnect(MemorySwitch from) {
        if (from.connected) {
            from.connected = false;
            state.deliveries.lose(from.openFlow(), () -> state.ruleListener.switchDisconnected(from.datapathId));
        }
    }

    @Override
    public CompletionStage<InstalledState> read(long datapathId) {
        CompletableFuture<InstalledState> answer = new CompletableFuture<>();
        MemorySwitch asked = byDatapath.get(datapathId);
        state.deliveries.send(asked.openFlow(), () -> {
            if (!asked.connected || asked.failingReadsToCome > 0) {
                asked.failingReadsToCome -= asked.connected ? 1 : 0;
                answer.completeExceptionally(new IllegalStateException("not read"));
            } else {
                asked.unread = false;
                answer.complete(new InstalledState(asked.program, asked.foreign, 0));
            }
        }, answer);
        // a failure that passes a further stage is wrapped, as with the real channel
        return answer.thenApply(installed -> installed);
    }

    @Override
    public CompletionStage<List<Refusal>> send(long datapathId, List<Message> batch) {
        CompletableFuture<List<Refusal>> answer = new CompletableFuture<>();
        MemorySwitch to = byDatapath.get(datapathId);
        List<Message> order = new ArrayList<>(batch);
        Collections.shuffle(order, state.random);
        messages += batch.size();
        List<Refusal> refused = new ArrayList<>();
        Knowledge with = state.knowledge();
        for (Message message : order) {
            state.deliveries.send(to.openFlow(), () -> {
                if (!to.connected) {
                    return;
                }
                Optional<String> error = to.refusal(message);
                if (error.isPresent()) {
                    refused.add(new Refusal(message, error.get()));
                    return;
                }
                state.change(to, message, with, () -> to.program = Applied.to(to.program, List.of(message)));
            });
        }
        state.deliveries.send(to.openFlow(), () -> {
            if (to.connected) {
                answer.complete(refused);
            } else {
                answer.completeExceptionally(new IllegalStateException("gone"));
            }
        }, answer);
        return answer;
    }

    /** Another program sets bits on a port, or nobody does any longer; the bridge's own port is up without. */
    void setBits(MemorySwitch of, String port, Set<PortBit> bits) {
        int number = port.equals(Dcm.LOCAL) ? Action.LOCAL
            : of.bridge.orElseThrow().ports().get(port).number();
        of.portBits.put(number, bits);
        if (number == Action.LOCAL) {
            state.deliveries.send(of.openFlow(), () -> state.ruleListener.portChanged(of.datapathId, number,
                bits.stream().noneMatch(PortBit::stopsData), bits));
        } else {
            reportPort(of, port, number);
        }
    }

    /** How often bits of ports were cleared. */
    int cleared() {
        return cleared;
    }

    @Override
    public CompletionStage<Map<Integer, Long>> held(long datapathId) {
        CompletableFuture<Map<Integer, Long>> answer = new CompletableFuture<>();
        MemorySwitch asked = byDatapath.get(datapathId);
        state.deliveries.send(asked.openFlow(), () -> {
            if (asked.connected) {
                Map<Integer, Long> held = new HashMap<>();
                asked.bridge.ifPresent(bridge -> bridge.ports().values()
                    .forEach(port -> held.put(port.number(), asked.held.getOrDefault(port.number(), 0L))));
                answer.complete(held);
            } else {
                answer.completeExceptionally(new IllegalStateException("gone"));
            }
        }, answer);
        return answer;
    }

    /** Rule and group messages sent so far. */
    int messages() {
        return messages;
    }

    @Override
    public void clearPortBits(long datapathId, int number) {
        MemorySwitch of = byDatapath.get(datapathId);
        state.deliveries.send(of.openFlow(), () -> {
            if (of.connected && of.portBits.remove(number) != null) {
                cleared++;
                of.bridge.ifPresent(bridge -> bridge.ports().forEach((name, port) -> {
                    if (port.number() == number) {
                        reportPort(of, name, number);
                    }
                }));
                if (number == Action.LOCAL) {
                    state.ruleListener.portChanged(datapathId, number, true, Set.of());
                }
            }
        });
    }

    @Override
    public void watchCabling(long datapathId, Set<Integer> ports) {
        probedPorts.put(datapathId, Set.copyOf(ports));
    }

    /** Sends a probe out of every port that the controller has asked for; the far end of its cable reports it. */
    void probeCabling() {
        probedPorts.forEach((datapathId, numbers) -> {
            MemorySwitch sender = byDatapath.get(datapathId);
            sender.bridge.ifPresent(bridge -> bridge.ports().forEach((name, port) -> {
                PortId near = state.portOf(sender, name);
                Segment link = state.links.at(near);
                if (numbers.contains(port.number()) && link != null && !state.links.isDown(link)
                        && state.hasCables(sender, near)) {
                    PortId far = near.equals(link.lower()) ? link.upper() : link.lower();
                    MemorySwitch receiver = state.at(far.switchName());
                    state.deliveries.send(receiver.openFlow(), () -> receiver.bridge
                        .map(there -> there.ports().get(far.port()))
                        .ifPresent(there -> state.ruleListener.peerSeen(receiver.datapathId, there.number(), datapathId,
                            port.number())));
                }
            }));
        });
    }

    /** Switches with ports whose cables are probed. */
    Set<String> probed() {
        Set<String> names = new TreeSet<>();
        probedPorts.forEach((datapathId, ports) -> {
            if (!ports.isEmpty()) {
                names.addAll(byDatapath.get(datapathId).names);
            }
        });
        return names;
    }

    void reportLinksOf(MemorySwitch of) {
        of.names.forEach(name -> state.links.of(name).forEach(this::reportPorts));
    }

    /** Both ends of a link report its state. */
    void reportPorts(Segment segment) {
        for (PortId port : List.of(segment.lower(), segment.upper())) {
            MemorySwitch end = state.at(port.switchName());
            end.bridge.map(bridge -> bridge.ports().get(port.port()))
                .ifPresent(there -> reportPort(end, port.port(), there.number()));
        }
    }

    void reportPort(MemorySwitch of, String port, int number) {
        if (of.connected) {
            PortId id = state.portOf(of, port);
            boolean hasCables = state.hasCables(of, id);
            Set<PortBit> bits = of.portBits.getOrDefault(number, Set.of());
            boolean live = hasCables && state.links.isLive(id) && bits.stream().noneMatch(PortBit::stopsData);
            state.deliveries.send(of.openFlow(), () -> {
                if (hasCables) {
                    state.links.reportedLive(id, live);
                }
                state.ruleListener.portChanged(of.datapathId, number, live,
                    bits);
            });
        }
    }
}
