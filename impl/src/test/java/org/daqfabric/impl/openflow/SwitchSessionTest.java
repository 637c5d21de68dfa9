package org.daqfabric.impl.openflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.Unpooled;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.daqfabric.api.program.Action;
import org.daqfabric.api.program.Match;
import org.daqfabric.api.program.Message;
import org.daqfabric.api.program.Rule;
import org.daqfabric.api.spec.Address;
import org.daqfabric.api.state.PortBit;
import org.daqfabric.impl.peers.Limit;
import org.junit.jupiter.api.Test;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.ErrorMessageBuilder;
import org.opendaylight.yangtools.yang.common.Uint32;

class SwitchSessionTest {
    private static final int MAX_PORTS = 1000;

    private final RecordedSwitchEvents events = new RecordedSwitchEvents();
    private final SentMessages queue = new SentMessages();
    private final List<Limit> exceeded = new ArrayList<>();
    private final List<String> reasons = new ArrayList<>();
    private final SwitchSession session = new SwitchSession(7, queue, events, (limit, why) -> {
        exceeded.add(limit);
        reasons.add(why);
    }, MAX_PORTS);

    private static PortReport port(boolean up) {
        return new PortReport(0x0a_bc_de_f0_12_34L, up, Set.of());
    }

    /** A bit that another program has set is reported as such, and cleared on its port alone, and nothing else is. */
    @Test
    void bitsAreReportedAndCleared() {
        session.open(Map.of(1, port(true), 2, port(true)));
        session.port(2, PortReport.of(7, EnumSet.of(PortBit.NO_RECEIVE, PortBit.DOWN), false, true));
        assertThat(events.calls).last().isEqualTo("7:2 down [DOWN, NO_RECEIVE]");
        session.clearBits(1);
        assertThat(queue.bytes().isReadable()).isFalse();
        session.clearBits(2);
        var sent = queue.bytes();
        assertThat(sent.readableBytes()).as("with the question for the ports").isEqualTo(40 + 16);
        assertThat(sent.getByte(1)).isEqualTo((byte) OpenFlow13.OFPT_PORT_MOD);
        assertThat(sent.getInt(8)).isEqualTo(2);
        assertThat(sent.getLong(14)).isEqualTo(7);
        assertThat(sent.getInt(24)).isZero();
        assertThat(sent.getInt(28)).isEqualTo(1 << 2);
        session.port(2, port(true));
        assertThat(events.calls).last().isEqualTo("7:2 up");
    }

    /** Changes of rules are asked for once; those of others are told, and those of this connection are not. */
    @Test
    void changesOfRulesByOthersAreTold() {
        session.watchRules();
        session.watchRules();
        assertThat(queue.bytes().readableBytes()).as("one request").isEqualTo(48);
        session.open(Map.of());
        assertThat(session.takes(report(3, 8))).isTrue();
        assertThat(session.takes(new MultipartReply(Uint32.ZERO, false, Unpooled.buffer()))).isFalse();
        assertThat(session.takes(report(1, 32))).isTrue();
        await().atMost(Duration.ofSeconds(20)).until(() -> events.calls.contains("rules of 7"));
        assertThat(events.calls).containsExactly("connected 7", "rules of 7");
    }

    private static MultipartReply report(int event, int length) {
        return new MultipartReply(Uint32.ZERO, OpenFlow13.OFPMP_EXPERIMENTER, false, Unpooled.buffer()
            .writeInt(0x4f4e4600).writeInt(1870).writeShort(8).writeShort(3).writeInt(5).writeShort(length)
            .writeShort(event).writeZero(length - 4));
    }

    /** Ports are reported after their switch, never before, and none is left out. */
    @Test
    void portsAreReportedAfterTheirSwitch() {
        session.port(2, port(false));
        session.portGone(3);
        assertThat(events.calls).isEmpty();
        session.open(Map.of(1, port(true), 2, port(true), 3, port(true)));
        session.port(2, port(false));
        session.port(1, port(false));
        session.portGone(1);
        // changes that arrived after the request are newer than its answer
        assertThat(events.calls).containsExactly("connected 7", "7:1 up", "7:2 down", "7:3 down", "7:1 down");
    }

    /** A connection that never answered was not reported, so neither is its end. */
    @Test
    void theEndOfAConnectionThatNeverAnsweredIsNotReported() {
        session.close("gone");
        session.open(Map.of(1, port(true)));
        session.port(1, port(true));
        assertThat(events.calls).isEmpty();
    }

    /** A send or read must not wait for a switch that is gone. */
    @Test
    void pendingRequestsFailWhenTheConnectionCloses() {
        session.open(Map.of());
        var send = session.send(rules(1));
        var read = session.ask(OpenFlow13.OFPMP_FLOW);
        session.close("gone");
        session.close("gone");
        assertThat(send).isCompletedExceptionally();
        assertThat(read).isCompletedExceptionally();
        assertThat(events.calls).containsExactly("connected 7", "disconnected 7");
    }

    /** A refusal is matched to its message by the transaction id, whatever else is pending. */
    @Test
    void refusalsAreMatchedToTheirMessages() throws Exception {
        var first = session.send(rules(1000));
        assertThat(queue.endsWithBarrier()).isTrue();
        int message = 3 + 299;
        int xid = queue.bytes().getInt(xidOffset(message - 3));
        assertThat(first).isNotDone();
        session.error(new ErrorMessageBuilder().setXid(Uint32.fromIntBits(xid)).setTypeString("BADACTION")
            .setCodeString("BADOUTGROUP").build());
        session.error(new ErrorMessageBuilder().setXid(Uint32.fromIntBits(17)).setTypeString("BADACTION")
            .setCodeString("BADOUTGROUP").build());
        queue.answer(null);
        assertThat(first.get()).singleElement().satisfies(refusal -> {
            assertThat(refusal.message()).isEqualTo(rules(1000).get(message - 3));
            assertThat(refusal.error()).contains("group that does not exist", "BADOUTGROUP");
        });
    }

    /** Offset of the transaction id of a message, among messages of equal length. */
    private int xidOffset(int message) {
        return queue.bytes().getUnsignedShort(2) * message + 4;
    }

    /** A message that cannot be encoded must not count as confirmed. */
    @Test
    void messagesThatCannotBeEncodedFail() {
        assertThat(session.send(List.of(new Message.PutRule(
            new Rule(1, Match.ALL, List.of(new Action.Other("strange"))))))).isCompletedExceptionally();
        assertThat(queue.bytes().isReadable()).isFalse();
    }

    /** A timeout names the switch and the request it did not answer. */
    @Test
    void requestsTimeOut() {
        var never = session.within(1, "a question", new CompletableFuture<Void>());
        assertThat(never).failsWithin(Duration.ofSeconds(20)).withThrowableThat().withMessageContaining(
            "0000000000000007: no answer to a question within");
    }

    /** An answer is complete when its last part has arrived. */
    @Test
    void multipartAnswersAreAwaited() throws Exception {
        var asked = session.ask(OpenFlow13.OFPMP_FLOW);
        queue.answer(new MultipartReply(Uint32.ZERO, true, Unpooled.buffer()));
        assertThat(asked).isNotDone();
        queue.answer(new MultipartReply(Uint32.ZERO, false, Unpooled.buffer()));
        assertThat(asked.get()).hasSize(2);
    }

    /** Nobody makes the controller hold an endless answer, of large parts or of empty ones. */
    @Test
    void endlessAnswersAreRefused() {
        session.ask(OpenFlow13.OFPMP_DESC);
        for (int part = 0; part < 100 && exceeded.isEmpty(); part++) {
            queue.answer(new MultipartReply(Uint32.ZERO, true, Unpooled.buffer()));
        }
        assertThat(exceeded).containsExactly(Limit.ANSWER);
        session.ask(OpenFlow13.OFPMP_FLOW);
        for (int part = 0; part < 2000 && exceeded.size() == 1; part++) {
            queue.answer(new MultipartReply(Uint32.ZERO, true, Unpooled.wrappedBuffer(new byte[60_000])));
        }
        assertThat(exceeded).containsExactly(Limit.ANSWER, Limit.ANSWER);
        assertThat(reasons.get(0)).contains("question 0 with over 4096 bytes");
        assertThat(reasons.get(1)).contains("over 64 MiB", "remove those of other programs", "dump-aggregate");
    }

    /** A switch has only so many ports, also before it is used; those it has still change. */
    @Test
    void portsAreLimited() {
        for (int port = 1; port <= MAX_PORTS; port++) {
            session.port(port, port(true));
        }
        assertThat(exceeded).isEmpty();
        session.port(MAX_PORTS + 1, port(true));
        assertThat(exceeded).containsExactly(Limit.PORTS);
        session.open(Map.of());
        session.port(1, port(false));
        assertThat(exceeded).hasSize(1);
        assertThat(events.calls).hasSize(1 + MAX_PORTS + 1).endsWith("7:1 down");
    }

    /** A port that flaps without end is told now and then, and at last as it is; others are told at once. */
    @Test
    void aPortThatFlapsDoesNotDrownTheListener() {
        session.open(Map.of(1, port(true), 2, port(true)));
        for (int change = 0; change < 10_001; change++) {
            session.port(1, port(change % 2 == 1));
        }
        session.port(2, port(false));
        assertThat(events.calls).contains("7:2 down").hasSizeLessThan(1000);
        await().atMost(Duration.ofSeconds(20)).until(() ->
            events.calls.stream().filter(call -> call.startsWith("7:1")).toList().getLast().equals("7:1 down"));
    }

    /** A connection lasts for months, with all rules of its switch read once a minute: a leak would add up. */
    @Test
    void answersAreNotKept() {
        var rules = new WeakReference<>(answered());
        var refusals = new WeakReference<>(confirmed());
        session.send(rules(1));
        queue.answer(null);
        assertThat(session.pending()).isZero();
        await().atMost(Duration.ofSeconds(20)).until(() -> {
            System.gc();
            return rules.get() == null && refusals.get() == null;
        });
    }

    private Object answered() {
        var asked = session.ask(OpenFlow13.OFPMP_FLOW);
        queue.answer(new MultipartReply(Uint32.ZERO, false, Unpooled.buffer()));
        return asked.join();
    }

    private Object confirmed() {
        var sent = session.send(rules(1));
        queue.answer(null);
        assertThat(sent).isDone();
        return sent;
    }

    /** They would never be answered. */
    @Test
    void requestsAfterTheEndFailAtOnce() {
        session.close("gone");
        assertThat(session.ask(OpenFlow13.OFPMP_FLOW)).isCompletedExceptionally();
        assertThat(session.pending()).isZero();
    }

    private static List<Message> rules(int count) {
        return IntStream.range(0, count).<Message>mapToObj(each ->
            new Message.PutRule(new Rule(100, Match.to(Address.ofIpv4(each)),
                List.of(new Action.ToGroup(1))))).toList();
    }
}
