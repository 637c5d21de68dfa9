package org.daqfabric.impl.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.daqfabric.impl.platform.WireMessage.BARRIER_REQUEST;
import static org.daqfabric.impl.platform.WireMessage.ERROR;
import static org.daqfabric.impl.platform.WireMessage.FEATURES_REQUEST;
import static org.daqfabric.impl.platform.WireMessage.FLOW_MOD;
import static org.daqfabric.impl.platform.WireMessage.GROUP_MOD;
import static org.daqfabric.impl.platform.WireMessage.HELLO;
import static org.daqfabric.impl.platform.WireMessage.MULTIPART_REQUEST;
import static org.daqfabric.impl.platform.WireMessage.send;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.daqfabric.api.program.Action;
import org.daqfabric.api.program.Group;
import org.daqfabric.api.program.Match;
import org.daqfabric.api.program.Message;
import org.daqfabric.api.program.Rule;
import org.daqfabric.impl.controller.spi.RuleChannel.Refusal;
import org.daqfabric.impl.openflow.AnyPeers;
import org.daqfabric.impl.openflow.OpenFlowRuleChannel;
import org.daqfabric.impl.openflow.RecordedSwitchEvents;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.opendaylight.infrautils.diagstatus.DiagStatusService;
import org.opendaylight.infrautils.diagstatus.ServiceRegistration;
import org.opendaylight.openflowjava.protocol.impl.core.SwitchConnectionProviderFactoryImpl;

/** A change that a switch refuses counts as refused, whatever kind of error says so, over OpenDaylight's library. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class OpenFlowErrorsTest {
    private static final long SWITCH = 7;
    private static final Rule RULE = new Rule(9, Match.type(Match.LLDP), List.of(new Action.Output(Action.LOCAL)));
    private static final List<Message> CHANGES = List.of(new Message.PutRule(RULE), new Message.AddGroup(
        new Group(0xda000007, Group.Type.FAST_FAILOVER, List.of(Group.Bucket.out(1)))));

    /** What follows an error's header, and how it is told. */
    @ParameterizedTest(name = "error {0}")
    @CsvSource(delimiter = '|', textBlock = """
        0002 0004 | an action points to a port that does not exist (OpenFlow error BADACTION/BADOUTPORT)
        0002 0aaa | OpenFlow error BADACTION/UNKNOWN_CODE
        00aa 0001 | OpenFlow error UNKNOWN_TYPE/UNKNOWN_CODE
        ffff 0007 00002320 0102fe | OpenFlow error EXPERIMENTER: type 7, experimenter 0x00002320, data 0102fe
        ffff 0a5a ffffffff | OpenFlow error EXPERIMENTER: type 2650, experimenter 0xffffffff, no data
        ffff 0007 0000 | OpenFlow error EXPERIMENTER: it is too short to say more
        ffff | OpenFlow error: it is too short to say more
        '' | OpenFlow error: it is too short to say more""")
    void aChangeIsRefusedByAnyError(final String error, final String words) throws Exception {
        var body = ByteBuffer.wrap(HexFormat.of().parseHex(error.replace(" ", "")));
        assertThat(refusals(body)).containsExactlyElementsOf(
            CHANGES.stream().map(each -> new Refusal(each, words)).toList());
    }

    /** However much a switch says, it is told in one line of some length. */
    @Test
    void longDataIsCut() throws Exception {
        var body = ByteBuffer.allocate(60_000).putShort((short) 0xffff).putShort((short) 1).putInt(0x4f4e4600);
        assertThat(refusals(body)).extracting(Refusal::error).containsOnly(
            "OpenFlow error EXPERIMENTER: type 1, experimenter 0x4f4e4600, data " + "00".repeat(64)
                + " and 59928 bytes more");
    }

    /** A rule and a group are sent to a switch that answers each with this error. */
    private static List<Refusal> refusals(final ByteBuffer error) throws Exception {
        DiagStatusService health = mock();
        when(health.register(any())).thenReturn(mock(ServiceRegistration.class));
        var address = FreeAddress.find();
        var events = new RecordedSwitchEvents();
        try (var channel = new OpenFlowRuleChannel(events, new AnyPeers(), 10_000);
                var listener = new OpenFlowListener(new SwitchConnectionProviderFactoryImpl(health), address,
                    Optional.empty(), channel)) {
            await().until(() -> listener.listenAddress().isPresent());
            try (var socket = new Socket(address.getAddress(), address.getPort())) {
                Thread.ofVirtual().start(() -> answer(socket, error));
                await().until(() -> events.calls.contains("connected " + SWITCH));
                return channel.send(SWITCH, CHANGES).toCompletableFuture().get(60, TimeUnit.SECONDS);
            }
        }
    }

    private static void answer(final Socket socket, final ByteBuffer error) {
        try {
            send(socket, HELLO, 1, ByteBuffer.allocate(0));
            while (true) {
                var message = WireMessage.read(socket);
                switch (message.type()) {
                    case FEATURES_REQUEST -> message.answerFeatures(socket, SWITCH);
                    case MULTIPART_REQUEST -> message.answerDescription(socket);
                    case FLOW_MOD, GROUP_MOD -> send(socket, ERROR, message.xid(), error);
                    case BARRIER_REQUEST -> send(socket, BARRIER_REQUEST + 1, message.xid(), ByteBuffer.allocate(0));
                    default -> { }
                }
            }
        } catch (IOException e) {
            // the test is over
        }
    }
}
