package org.daqfabric.impl.controller;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.daqfabric.api.program.Action;
import org.daqfabric.api.spec.Dcm;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.state.PortBit;
import org.daqfabric.impl.async.Backoff;
import org.daqfabric.impl.async.EventLoop;
import org.daqfabric.impl.controller.links.SwitchView;
import org.daqfabric.impl.controller.spi.RuleChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Clears the bits that another program has set in the configuration of a fabric's ports and that stop packets. The
 * first time immediately; where a program sets them again and again, ever more seldom. Belongs to the fabric's event
 * loop.
 */
final class PortCorrections {
    private static final Logger LOG = LoggerFactory.getLogger(PortCorrections.class);
    private static final Backoff FIRST = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30));

    private final FabricModel model;
    private final EventLoop loop;
    private final RuleChannel channel;
    /** How long after a correction the next one of the same port waits. */
    private final Map<PortId, Backoff> waiting = new HashMap<>();
    private long checked = -1;

    PortCorrections(FabricModel model, EventLoop loop, RuleChannel channel) {
        this.model = model;
        this.loop = loop;
        this.channel = channel;
    }

    /** The bits that are set in the configuration of a fabric's ports, by port. */
    static SortedMap<PortId, Set<PortBit>> bits(FabricModel model) {
        SortedMap<PortId, Set<PortBit>> found = new TreeMap<>();
        model.switches().forEach((name, view) -> {
            if (!view.bits().isEmpty() && model.topology().roles().containsKey(name)) {
                numbers(model, name).forEach((port, number) -> {
                    Set<PortBit> bits = view.bitsOf(number);
                    if (!bits.isEmpty()) {
                        found.put(new PortId(name, port), bits);
                    }
                });
            }
        });
        return found;
    }

    /** Its ports, and its own one if it leads to a host. */
    private static SortedMap<String, Integer> numbers(FabricModel model, String switchName) {
        SortedMap<String, Integer> numbers = new TreeMap<>(model.numbers().of(switchName));
        if (model.topology().addresses().values().stream()
                .anyMatch(host -> host.edge().equals(switchName) && host.port().equals(Dcm.LOCAL))) {
            numbers.put(Dcm.LOCAL, Action.LOCAL);
        }
        return numbers;
    }

    /** Clears what is to be cleared, if something has been reported since the last time. */
    void update() {
        if (model.hasTopology() && checked != model.revision()) {
            checked = model.revision();
            bits(model).forEach((port, bits) -> {
                if (!waiting.containsKey(port)) {
                    clear(port, bits, FIRST);
                }
            });
        }
    }

    private void clear(PortId port, Set<PortBit> bits, Backoff pause) {
        Set<PortBit> clearing = new HashSet<>(bits);
        clearing.removeIf(bit -> !bit.isCleared());
        SwitchView view = model.switches().get(port.switchName());
        if (clearing.isEmpty() || view == null || !view.openflow()) {
            waiting.remove(port);
            return;
        }
        LOG.warn("{}: another program has set {} on the port{}; cleared", port, clearing.stream().sorted()
            .map(PortBit::label).collect(Collectors.joining(", ")), pause == FIRST ? "" : " again");
        channel.clearPortBits(model.topology().datapathId(port.switchName()), number(port));
        waiting.put(port, pause.doubled());
        loop.after(pause.pause(), () -> {
            if (model.hasTopology() && model.topology().roles().containsKey(port.switchName())) {
                clear(port, bits(model).getOrDefault(port, Set.of()), waiting.getOrDefault(port, FIRST));
            } else {
                waiting.remove(port);
            }
        });
    }

    private int number(PortId port) {
        return port.port().equals(Dcm.LOCAL) ? Action.LOCAL : model.numbers().of(port).orElseThrow();
    }
}
