package org.daqfabric.impl.openflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.Unpooled;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.daqfabric.api.program.Action;
import org.daqfabric.api.program.Match;
import org.daqfabric.api.program.Message;
import org.daqfabric.api.program.Rule;
import org.daqfabric.api.spec.Address;
import org.daqfabric.impl.peers.Limit;
import org.junit.jupiter.api.Test;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.ErrorMessageBuilder;
import org.opendaylight.yangtools.yang.common.Uint32;

class SwitchSessionTest {
    private static final int MAX_PORTS = 1000;

    private final RecordedSwitchEvents events = new RecordedSwitchEvents();
    private final SentMessages queue = new SentMessages();
    private final List<Limit> exceeded = new ArrayList<>();
    private final SwitchSession session = new SwitchSession(7, queue, events, (limit, why) -> exceeded.add(limit),
        MAX_PORTS);

    /** Ports are reported after their switch, never before, and none is left out. */
    @Test
    void portsAreReportedAfterTheirSwitch() {
        session.port(2, false);
        session.portGone(3);
        assertThat(events.calls).isEmpty();
        session.open(Map.of(1, true, 2, true, 3, true));
        session.port(2, false);
        session.port(1, false);
        session.portGone(1);
        // changes that arrived after the request are newer than its answer
        assertThat(events.calls).containsExactly("connected 7", "7:1 up", "7:2 down", "7:3 down", "7:1 down");
    }

    /** A connection that never answered was not reported, so neither is its end. */
    @Test
    void theEndOfAConnectionThatNeverAnsweredIsNotReported() {
        session.close("gone");
        session.open(Map.of(1, true));
        session.port(1, true);
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
    }

    /** A switch has only so many ports, also before it is used; those it has still change. */
    @Test
    void portsAreLimited() {
        for (int port = 1; port <= MAX_PORTS; port++) {
            session.port(port, true);
        }
        assertThat(exceeded).isEmpty();
        session.port(MAX_PORTS + 1, true);
        assertThat(exceeded).containsExactly(Limit.PORTS);
        session.open(Map.of());
        session.port(1, false);
        assertThat(exceeded).hasSize(1);
        assertThat(events.calls).hasSize(1 + MAX_PORTS + 1).endsWith("7:1 down");
    }

    /** A port that flaps without end is told now and then, and at last as it is; others are told at once. */
    @Test
    void aPortThatFlapsDoesNotDrownTheListener() {
        session.open(Map.of(1, true, 2, true));
        for (int change = 0; change < 10_001; change++) {
            session.port(1, change % 2 == 1);
        }
        session.port(2, false);
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
