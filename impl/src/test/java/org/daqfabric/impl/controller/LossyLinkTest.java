package org.daqfabric.impl.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.daqfabric.api.placement.SwitchIdentity;
import org.daqfabric.api.program.Message;
import org.daqfabric.api.spec.AdminState;
import org.daqfabric.api.spec.FabricSpec;
import org.daqfabric.api.spec.Link;
import org.daqfabric.api.spec.PortId;
import org.daqfabric.api.state.FabricState.Phase;
import org.daqfabric.impl.controller.spi.InstalledState;
import org.daqfabric.impl.controller.spi.RuleChannel;
import org.daqfabric.impl.controller.spi.RunDirective;
import org.daqfabric.impl.engine.TestFabrics;
import org.daqfabric.impl.engine.loss.PortCount;
import org.daqfabric.impl.engine.loss.SwitchCounts;
import org.daqfabric.impl.engine.topology.Segment;
import org.daqfabric.impl.engine.topology.Topology;
import org.daqfabric.impl.memory.MemoryNetwork;
import org.eclipse.jdt.annotation.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A link loses packets, as its two ports count. */
class LossyLinkTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    /** Packets by each port, in each direction. */
    private static final int RATE = 5000;
    /** A queue of a port holds as many frames. */
    private static final int QUEUE = 10;

    private World world = new World(1);
    private final FabricSpec spec = TestFabrics.prototype();
    private final Segment link = World.link(spec, "leaf-1-1", "spine-1-1");
    private final Map<String, SwitchIdentity> identities = new Topology(spec).identities().switches();
    private long lost;
    private double loss;
    /** Whether the port that sends has not counted what is lost. */
    private boolean behindPort;
    private int rate = RATE;
    /** What its switch does not list; null for none. */
    private @Nullable PortId left;
    private long passed;
    /** Frames that were to be sent, by switch and port, and at one moment. */
    private final Map<String, Long> filled = new HashMap<>();
    private final Map<Instant, Set<Long>> sendingAt = new HashMap<>();

    @BeforeEach
    void fabricRuns() {
        world.background = Runnable::run;
        world.drivers = drivers -> new FabricDrivers(new Counting(drivers.rules()), drivers.bridges(), drivers.runs(),
            drivers.mayChange());
        world.start();
        world.configure(spec);
        pass(30);
        assertThat(world.phase(spec)).isEqualTo(Phase.CONVERGED);
    }

    private void pass(int seconds) {
        for (int i = 0; i < seconds; i++) {
            passed += rate;
            lost += Math.round(RATE * loss);
            world.pass(SECOND);
        }
    }

    @Test
    void lossyLinkIsNotUsedUntilItLosesNothing() {
        assertThat(world.isUsed(spec, link)).isTrue();
        loss = 0.01;
        pass(15);
        assertThat(world.isUsed(spec, link)).isFalse();
        assertThat(world.states.get(spec.name()).links()).filteredOn(each -> each.heldBack()).hasSize(1);
        pass(60);
        assertThat(world.isUsed(spec, link)).as("it still loses packets").isFalse();
        loss = 0;
        pass(60);
        assertThat(world.isUsed(spec, link)).as("ten times as many packets as one is lost of have arrived").isTrue();
        assertThat(world.phase(spec)).isEqualTo(Phase.CONVERGED);
    }

    /** The next controller knows it at once, and uses the link when it is proven that it loses nothing. */
    @Test
    void linkIsHeldBackByTheNextController() {
        loss = 0.01;
        pass(15);
        assertThat(world.isUsed(spec, link)).isFalse();
        restartController();
        for (int i = 0; i < 30; i++) {
            pass(1);
            assertThat(world.isUsed(spec, link)).as(i + " seconds after the start").isFalse();
        }
        assertThat(lossesAreTold()).isTrue();
        loss = 0;
        pass(60);
        assertThat(world.isUsed(spec, link)).isTrue();
        restartController();
        pass(15);
        assertThat(lossesAreTold()).as("nothing is in doubt any more").isFalse();
        assertThat(world.isUsed(spec, link)).isTrue();
    }

    private void restartController() {
        world.start(spec);
        world.network.reconnect();
    }

    /** Daqrings keep queues behind ports from being full, so that what is lost there is a fault. */
    @Test
    void lossesBehindAPortOfASwitchWithDaqrings() {
        world = new World(new MemoryNetwork(new Random(1), Set.of("system", "daqring")));
        fabricRuns();
        behindPort = true;
        loss = 0.05;
        pass(40);
        assertThat(lossesAreTold()).isTrue();
        assertThat(world.isUsed(spec, link)).isFalse();
        loss = 0;
        pass(90);
        assertThat(lossesAreTold()).as("no rule sends to the port meanwhile").isFalse();
        assertThat(world.isUsed(spec, link)).isTrue();
    }

    @Test
    void aFullQueueBehindAPortIsNoFaultOfTheLink() {
        behindPort = true;
        loss = 0.05;
        pass(120);
        assertThat(lossesAreTold()).isTrue();
        assertThat(world.isUsed(spec, link)).isTrue();
    }

    private boolean lossesAreTold() {
        return world.states.get(spec.name()).links().stream().filter(each -> each.end().equals(link.id()))
            .flatMap(each -> Stream.of(each.toPeer(), each.fromPeer())).flatMap(each -> each.loss().stream())
            .anyMatch(each -> each.rate() > 0);
    }

    @Test
    void lossyLinkIsUsedWhileARunNeedsItsBandwidth() {
        double all = world.states.get(spec.name()).capacity().bandwidth();
        world.manager.control(spec.name(), new RunDirective(true, all, Optional.empty()));
        loss = 0.01;
        pass(20);
        assertThat(world.isUsed(spec, link)).isTrue();
        world.manager.control(spec.name(), new RunDirective(true, all / 4, Optional.empty()));
        pass(3);
        assertThat(world.isUsed(spec, link)).isFalse();
        world.manager.control(spec.name(), new RunDirective(true, all, Optional.empty()));
        pass(3);
        assertThat(world.isUsed(spec, link)).as("the run needs it again").isTrue();
    }

    @Test
    void drainedLinkIsLeftOut() {
        world.manager.fabricChanged(new FabricSpec(spec.name(), spec.planes(), spec.pods(), spec.switches(),
            spec.links().stream().map(each -> each.end().equals(link.id())
                ? new Link(each.end(), each.peer(), each.capacity(), AdminState.DRAINED) : each).toList(),
            spec.policy()));
        pass(10);
        loss = 0.01;
        pass(30);
        assertThat(world.states.get(spec.name()).links()).noneMatch(each -> each.heldBack() || each.losesPackets());
    }

    /** Bursts fit into the queues of ports, and of a processor through which those of many switches come. */
    @Test
    void idleLinksAreFilledInSmallBursts() {
        rate = 10;
        pass(3);
        filled.clear();
        sendingAt.clear();
        pass(10);
        int directions = 2 * spec.links().size();
        assertThat(filled).hasSize(directions);
        // of a hundredth that is lost, at least five frames in ten seconds
        assertThat(filled.values()).allSatisfy(frames -> assertThat(frames).isBetween(700L, 800L));
        assertThat(sendingAt.values()).allSatisfy(switches ->
            assertThat(switches.size()).isLessThanOrEqualTo(spec.switches().size() / 5));
        rate = RATE;
        pass(2);
        filled.clear();
        pass(5);
        assertThat(filled).as("links that carry data").isEmpty();
    }

    /** One port of the link has left its switch's datapath; the database still has it as it was. */
    @Test
    void portThatIsNotListedIsReported() {
        pass(1);
        left = link.lower();
        pass(1);
        assertThat(world.states.get(spec.name()).ports()).as("once may be chance").isEmpty();
        pass(2);
        assertThat(world.states.get(spec.name()).ports()).singleElement().satisfies(each -> {
            assertThat(each.port()).isEqualTo(link.lower());
            assertThat(each.fault()).contains("has left the datapath");
        });
        left = null;
        pass(3);
        assertThat(world.states.get(spec.name()).ports()).isEmpty();
    }

    /** The network, whose ports count. */
    private final class Counting implements RuleChannel {
        private final RuleChannel network;

        private Counting(RuleChannel network) {
            this.network = network;
        }

        @Override
        public CompletionStage<Map<Integer, PortCount>> count(long datapathId) {
            Map<Integer, PortCount> counts = new HashMap<>();
            world.network.numbers().numbers().forEach((name, ports) -> ports.forEach((port, number) -> {
                PortId id = new PortId(name, port);
                if (identities.get(name).datapathId() == datapathId && !id.equals(left)) {
                    boolean sends = behindPort && link.lower().equals(id);
                    counts.put(number, new PortCount(passed - (link.upper().equals(id) ? lost : 0),
                        passed - (sends ? lost : 0), 0));
                }
            }));
            return CompletableFuture.completedFuture(counts);
        }

        @Override
        public CompletionStage<SwitchCounts> account(long datapathId) {
            return count(datapathId).thenApply(ports -> {
                Map<Integer, Long> ruled = new HashMap<>();
                ports.keySet().forEach(port -> ruled.put(port, passed));
                if (!world.isUsed(spec, link)) {
                    ruled.remove(world.network.numbers().numbers().get(link.lower().switchName())
                        .get(link.lower().port()));
                }
                return SwitchCounts.of(ports, ruled, 0);
            });
        }

        @Override
        public void fill(long datapathId, List<Integer> ports, int frames, int payload) {
            assertThat(frames).isLessThanOrEqualTo(QUEUE);
            ports.forEach(port -> filled.merge(datapathId + ":" + port, (long) frames, Long::sum));
            assertThat(sendingAt.computeIfAbsent(world.now, now -> new HashSet<>()).add(datapathId)).isTrue();
        }

        @Override
        public CompletionStage<InstalledState> read(long datapathId) {
            return network.read(datapathId);
        }

        @Override
        public CompletionStage<List<Refusal>> send(long datapathId, List<Message> messages) {
            return network.send(datapathId, messages);
        }

        @Override
        public CompletionStage<Map<Integer, Long>> held(long datapathId) {
            return network.held(datapathId);
        }

        @Override
        public void clearPortBits(long datapathId, int port) {
            network.clearPortBits(datapathId, port);
        }

        @Override
        public void watchCabling(long datapathId, Set<Integer> ports) {
            network.watchCabling(datapathId, ports);
        }
    }
}
