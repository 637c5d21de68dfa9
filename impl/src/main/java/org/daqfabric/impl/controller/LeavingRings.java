package org.daqfabric.impl.controller;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.daqfabric.api.program.Bridge;
import org.daqfabric.impl.async.EventLoop;
import org.daqfabric.impl.controller.rollout.SwitchDriver;
import org.daqfabric.impl.controller.spi.Recorder;
import org.daqfabric.impl.controller.spi.RuleChannel;
import org.daqfabric.impl.engine.ring.RingDeparture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that daqrings are empty before they are deleted. When every switch has confirmed that no rule leads to
 * them any more, what they hold leaves at their rate, by rules that stay until then. Belongs to the fabric's event
 * loop.
 */
final class LeavingRings {
    private static final Logger LOG = LoggerFactory.getLogger(LeavingRings.class);
    private static final Duration POLL = Duration.ofMillis(100);

    private final String fabric;
    private final EventLoop loop;
    private final RuleChannel rules;
    private final InstantSource clock;
    private final Recorder recorder;
    /** The daqrings that are waited for, by switch. */
    private SortedMap<String, List<Bridge.Port>> awaited = new TreeMap<>();
    private SortedMap<String, Long> datapaths = new TreeMap<>();
    /** The packets that they hold, by switch and number, as far as it is known. */
    private final SortedMap<String, Map<Integer, Long>> held = new TreeMap<>();
    private Instant deadline = Instant.MIN;
    private boolean done = true;
    /** Number of the present wait: answers to earlier ones mean nothing. */
    private long wait;

    LeavingRings(String fabric, EventLoop loop, RuleChannel rules, InstantSource clock, Recorder recorder) {
        this.fabric = fabric;
        this.loop = loop;
        this.rules = rules;
        this.clock = clock;
        this.recorder = recorder;
    }

    /**
     * Whether the daqrings that leave hold nothing any more, or have had their time. Called when no packet is led to
     * them; if the answer is no, the loop settles again when it may be another.
     *
     * @param leaving all that leave, by switch
     */
    boolean areEmpty(SortedMap<String, List<Bridge.Port>> leaving, Map<String, SwitchDriver> drivers) {
        SortedMap<String, List<Bridge.Port>> reached = new TreeMap<>(leaving);
        reached.keySet().removeIf(name -> !drivers.containsKey(name) || !drivers.get(name).isConnected());
        if (reached.isEmpty()) {
            forget();
            return true;
        }
        if (!reached.equals(awaited)) {
            begin(reached, drivers);
        }
        return done;
    }

    /** Nothing leaves any more, or something else does. */
    private void forget() {
        wait++;
        awaited = new TreeMap<>();
        held.clear();
        done = true;
    }

    private void begin(SortedMap<String, List<Bridge.Port>> reached, Map<String, SwitchDriver> drivers) {
        forget();
        awaited = reached;
        datapaths = new TreeMap<>();
        reached.keySet().forEach(name -> datapaths.put(name, drivers.get(name).datapathId()));
        done = false;
        deadline = clock.instant().plus(RingDeparture.longest(reached.values()));
        ask();
    }

    private void askAfter(Duration delay) {
        long now = wait;
        loop.after(delay, () -> {
            if (wait == now) {
                ask();
            }
        });
    }

    private void ask() {
        held.clear();
        long now = wait;
        datapaths.forEach((switchName, datapathId) -> loop.then(rules.held(datapathId), (counted, failure) -> {
            if (wait == now) {
                answered(switchName, failure == null ? counted : Map.of());
            }
        }));
    }

    private void answered(String switchName, Map<Integer, Long> counted) {
        Map<Integer, Long> left = RingDeparture.left(awaited.get(switchName), counted);
        held.put(switchName, left);
        if (!held.keySet().containsAll(awaited.keySet())) {
            return;
        }
        if (held.values().stream().allMatch(Map::isEmpty)) {
            done = true;
        } else if (clock.instant().isBefore(deadline)) {
            askAfter(POLL);
        } else {
            LOG.warn("fabric {}: daqrings are deleted with packets in them, by switch and port number: {}; they had the"
                + " time that their size and rate need", fabric, held);
            recorder.ringsDeleted(fabric, held.values().stream().flatMap(ports -> ports.values().stream())
                .mapToLong(packets -> Math.max(0, packets)).sum());
            done = true;
        }
    }
}
