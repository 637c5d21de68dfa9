package org.daqfabric.impl.openflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.Unpooled;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.daqfabric.api.program.Action;
import org.daqfabric.api.program.Match;
import org.daqfabric.api.program.Message;
import org.daqfabric.api.program.Rule;
import org.daqfabric.api.spec.Ipv4;
import org.junit.jupiter.api.Test;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.ErrorMessageBuilder;
import org.opendaylight.yangtools.yang.common.Uint32;

class SwitchSessionTest {
    private final RecordedSwitchEvents events = new RecordedSwitchEvents();
    private final SentMessages queue = new SentMessages();
    private final SwitchSession session = new SwitchSession(7, queue, events);

    /** The listener must not hear of ports of a switch it does not know, and must hear of all once it does. */
    @Test
    void portsAreToldOnceTheSwitchIsKnown() {
        session.port(2, false);
        session.portGone(3);
        assertThat(events.calls).isEmpty();
        session.open(Map.of(1, true, 2, true, 3, true));
        session.port(2, false);
        session.port(1, false);
        session.portGone(1);
        // what came after the question is newer than its answer
        assertThat(events.calls).containsExactly("connected 7", "7:1 up", "7:2 down", "7:3 down", "7:1 down");
    }

    /** A connection that never answered was never told of, so its end is not told of either. */
    @Test
    void aConnectionThatNeverAnsweredEndsInSilence() {
        session.close("gone");
        session.open(Map.of(1, true));
        session.port(1, true);
        assertThat(events.calls).isEmpty();
    }

    /** A send or read must not wait for a switch that is gone. */
    @Test
    void whatIsUnderWayFailsWithTheConnection() {
        session.open(Map.of());
        var send = session.send(rules(1));
        var read = session.ask(OpenFlow13.OFPMP_FLOW);
        session.close("gone");
        session.close("gone");
        assertThat(send).isCompletedExceptionally();
        assertThat(read).isCompletedExceptionally();
        assertThat(events.calls).containsExactly("connected 7", "disconnected 7");
    }

    /** What a switch refuses is known by the number of the message, whatever else is under way. */
    @Test
    void refusalsAreOfTheirMessages() throws Exception {
        var first = session.send(rules(1000));
        assertThat(queue.endsWithBarrier()).isTrue();
        int message = 3 + 299;
        int xid = queue.bytes().getInt(numberAt(message - 3));
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

    /** Where the number of a message is among messages of equal length. */
    private int numberAt(int message) {
        return queue.bytes().getUnsignedShort(2) * message + 4;
    }

    /** What cannot be written must not count as confirmed. */
    @Test
    void whatCannotBeWrittenFails() {
        assertThat(session.send(List.of(new Message.PutRule(
            new Rule(1, Match.ALL, List.of(new Action.Other("strange"))))))).isCompletedExceptionally();
        assertThat(queue.bytes().isReadable()).isFalse();
    }

    /** Whoever is waited for in vain is named, and what it did not answer. */
    @Test
    void waitingEnds() {
        var never = session.within(1, "a question", new CompletableFuture<Void>());
        assertThat(never).failsWithin(Duration.ofSeconds(20)).withThrowableThat().withMessageContaining(
            "0000000000000007: no answer to a question within");
    }

    /** An answer is whole when its last part came. */
    @Test
    void answersInPartsAreWaitedFor() throws Exception {
        var asked = session.ask(OpenFlow13.OFPMP_FLOW);
        queue.answer(new MultipartReply(Uint32.ZERO, true, Unpooled.buffer()));
        assertThat(asked).isNotDone();
        queue.answer(new MultipartReply(Uint32.ZERO, false, Unpooled.buffer()));
        assertThat(asked.get()).hasSize(2);
    }

    /** A connection lasts for months, and all rules of its switch are read once a minute. */
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

    /** Nobody waits for what was asked too late. */
    @Test
    void whatIsAskedAfterTheEndFailsAtOnce() {
        session.close("gone");
        assertThat(session.ask(OpenFlow13.OFPMP_FLOW)).isCompletedExceptionally();
        assertThat(session.pending()).isZero();
    }

    private static List<Message> rules(int count) {
        return IntStream.range(0, count).<Message>mapToObj(each ->
            new Message.PutRule(new Rule(100, Match.to(new Ipv4(each)), List.of(new Action.ToGroup(1))))).toList();
    }
}
