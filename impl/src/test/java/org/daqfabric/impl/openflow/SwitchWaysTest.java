package org.daqfabric.impl.openflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.daqfabric.impl.engine.Seeds;
import org.daqfabric.impl.engine.doctor.DiagnosisInput.Claim;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.opendaylight.openflowjava.protocol.api.connection.OutboundQueue;

/** Who may be a switch, of several peers that say they are. */
class SwitchWaysTest {
    private static final long ID = 7;
    private static final String SERIAL = "0123456789abcdef01234567";
    private static final int STEPS = 60;

    private final Map<Long, String> serials = new HashMap<>();
    private final Claims claims = new Claims();
    private final RecordedSwitchEvents events = new RecordedSwitchEvents();
    private final SwitchWays ways = new SwitchWays(id -> Optional.ofNullable(serials.get(id)), claims);

    /** A peer. */
    private final class Peer implements SwitchWay {
        private final String address;
        private final SwitchSession session = new SwitchSession(ID, mock(OutboundQueue.class), events,
            (limit, why) -> { }, 10);
        private String serial;
        private boolean alive = true;

        Peer(String address, String serial) {
            this.address = address;
            this.serial = serial;
        }

        @Override
        public String address() {
            return address;
        }

        @Override
        public SwitchSession session() {
            return session;
        }

        @Override
        public Executor reader() {
            return Runnable::run;
        }

        @Override
        public Map<Integer, PortReport> ports() {
            return Map.of();
        }

        @Override
        public String serial() {
            return serial;
        }

        @Override
        public CompletableFuture<String> askSerial() {
            return CompletableFuture.completedFuture(alive ? serial : "");
        }

        @Override
        public CompletableFuture<Boolean> isAlive() {
            return CompletableFuture.completedFuture(alive);
        }

        @Override
        public void end(String why) {
            session.close(why);
            ways.ended(session);
        }

        @Override
        public void turnAway(String why) {
            end(why);
        }

        boolean isUsed() {
            return ways.used(ID) == session;
        }
    }

    private Peer offered(String address, String serial) {
        Peer peer = new Peer(address, serial);
        ways.offer(peer);
        return peer;
    }

    private List<String> claimants() {
        return claims.now().stream().map(Claim::address).toList();
    }

    /** The first one keeps the datapath-id as long as it answers, even if nothing else is known of it. */
    @Test
    void theFirstThatAnswersKeepsTheDatapathId() {
        Peer first = offered("10.0.0.1", "None");
        Peer second = offered("10.0.0.66", "None");
        assertThat(first.isUsed()).isTrue();
        assertThat(second.session().isClosed()).isTrue();
        assertThat(claims.now()).singleElement().satisfies(claim -> {
            assertThat(claim.datapathId()).isEqualTo(ID);
            assertThat(claim.address()).isEqualTo("10.0.0.66");
            assertThat(claim.keeper()).isEqualTo("10.0.0.1");
        });
        assertThat(events.calls).containsExactly("connected 7");
    }

    /** A switch whose connection has died without a word connects anew. */
    @Test
    void aSilentOneGivesWay() {
        Peer first = offered("10.0.0.1", "None");
        first.alive = false;
        Peer second = offered("10.0.0.1", "None");
        assertThat(second.isUsed()).isTrue();
        assertThat(claims.now()).isEmpty();
        assertThat(events.calls).containsExactly("connected 7", "disconnected 7", "connected 7");
    }

    /** Nobody is believed who lacks the serial number, even when the switch is away. */
    @Test
    void theSerialNumberIsAskedForOnceItIsKnown() {
        serials.put(ID, SERIAL);
        Peer impostor = offered("10.0.0.66", "None");
        assertThat(impostor.session().isClosed()).isTrue();
        assertThat(events.calls).isEmpty();
        Peer real = offered("10.0.0.1", SERIAL);
        assertThat(real.isUsed()).isTrue();
        assertThat(claimants()).containsExactly("10.0.0.66");
    }

    /** Who came before the serial number was known is found out when it is, and the switch gets in. */
    @Test
    void anImpostorThatCameFirstIsFoundOut() {
        final Peer impostor = offered("10.0.0.66", "None");
        assertThat(offered("10.0.0.1", SERIAL).session().isClosed()).isTrue();
        serials.put(ID, SERIAL);
        Peer real = offered("10.0.0.1", SERIAL);
        assertThat(impostor.isUsed()).isTrue();
        ways.check();
        ways.check();
        ways.check();
        assertThat(impostor.session().isClosed()).isTrue();
        assertThat(real.isUsed()).isTrue();
        assertThat(claimants()).contains("10.0.0.66");
    }

    /** A switch that is given its serial number while it is connected has some seconds to take it up. */
    @Test
    void aSwitchMayTakeUpItsSerialNumberLater() {
        Peer real = offered("10.0.0.1", "None");
        serials.put(ID, SERIAL);
        ways.check();
        real.serial = SERIAL;
        for (int times = 0; times < 10; times++) {
            ways.check();
        }
        assertThat(real.isUsed()).isTrue();
        assertThat(claims.now()).isEmpty();
    }

    /** All connections of a switch are kept; when the one in use ends, another one is used. */
    @Test
    void aSwitchHasSeveralWays() {
        serials.put(ID, SERIAL);
        Peer first = offered("10.0.0.1", SERIAL);
        Peer second = offered("10.1.0.1", SERIAL);
        Peer third = offered("10.2.0.1", SERIAL);
        assertThat(first.isUsed()).isTrue();
        second.end("the cable is cut");
        first.end("the cable is cut");
        assertThat(third.isUsed()).isTrue();
        third.end("the cable is cut");
        assertThat(ways.used(ID)).isNull();
        assertThat(events.calls).containsExactly("connected 7", "disconnected 7", "connected 7", "disconnected 7");
        assertThat(claims.now()).isEmpty();
    }

    /** More connections than a switch can need are turned away. */
    @Test
    void waysAreLimited() {
        serials.put(ID, SERIAL);
        for (int way = 0; way < SwitchWays.MAX_WAYS; way++) {
            assertThat(offered("10.0.0.1", SERIAL).session().isClosed()).isFalse();
        }
        assertThat(offered("10.0.0.1", SERIAL).session().isClosed()).isTrue();
    }

    /** Whatever comes and goes: never is an impostor used while the serial number is known, and the switch is found. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource(Seeds.SOURCE)
    void theSwitchIsUsedWhateverHappens(long seed) {
        Random random = new Random(seed);
        serials.put(ID, SERIAL);
        List<Peer> real = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            switch (random.nextInt(5)) {
                case 0 -> offered("10.0.0.66", random.nextBoolean() ? "None" : "");
                case 1 -> real.add(offered("10.0.0.1", SERIAL));
                case 2 -> real.stream().skip(random.nextInt(real.size() + 1)).findFirst().ifPresent(peer ->
                    peer.end("cut"));
                case 3 -> real.stream().skip(random.nextInt(real.size() + 1)).findFirst().ifPresent(peer ->
                    peer.alive = false);
                default -> ways.check();
            }
            real.removeIf(peer -> peer.session().isClosed());
            assertThat(ways.used(ID) == null).isEqualTo(real.isEmpty());
            assertThat(real.isEmpty() || real.stream().anyMatch(Peer::isUsed)).isTrue();
        }
    }
}
