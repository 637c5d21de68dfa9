package org.daqfabric.it.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A simulated switch answers as Open vSwitch would, both to ovs-ofctl and byte by byte. */
class SimSwitchIT {
    private static final String HELLO = "0400000800000001";
    /** An addition of a rule: cookie 7, priority 100, ip, nw_dst=10.2.0.1, actions=output:2. */
    private static final String ADD_RULE = "040e006000000010" + "0000000000000007" + "0000000000000000" + "00000000"
        + "00000064" + "ffffffff" + "ffffffff" + "ffffffff" + "00000000" + "0001001280000a02080080001804" + "0a020001"
        + "000000000000" + "0004001800000000" + "0000001000000002" + "0000000000000000";

    private final EventLoop loop = new EventLoop();
    private final SimSwitch bridge = new SimSwitch(loop, "br-daq", 0xda, new SimSwitch.Environment() {
        @Override
        public void sent(final String port, final byte[] frame) {
            arrived.add(port + " " + frame.length);
        }

        @Override
        public void connected(final String target, final boolean is) {
            // not needed here
        }
    });
    private final List<String> arrived = new ArrayList<>();
    private int port;

    @BeforeEach
    void listen() {
        loop.ask(() -> {
            bridge.add(new Port(OpenFlow.PORT_LOCAL, "br-daq", 0x02_00_00_00_00_01L, false, true));
            bridge.add(new Port(1, "up1", 0x02_00_00_00_00_02L, false, true));
            bridge.add(new Port(2, "up2", 0x02_00_00_00_00_03L, false, false));
            return null;
        });
        port = loop.listen(() -> new OpenFlowSession(loop, bridge, "", () -> {
            // never disconnects
        }));
    }

    @AfterEach
    void end() {
        loop.close();
    }

    /** ovs-ofctl reads back what it has added, and not what it has removed. */
    @Test
    void openVSwitchsOwnToolFindsWhatItPutThere() throws Exception {
        assertThat(ofctl("show")).contains("dpid:00000000000000da").contains("1(up1)").contains("LIVE")
            .contains("2(up2)").contains("LINK_DOWN").contains("LOCAL(br-daq)");
        ofctl("add-group", "group_id=99,type=indirect,bucket=actions=in_port");
        ofctl("add-group", "group_id=5,type=ff,bucket=watch_port:1,actions=output:1,"
            + "bucket=watch_group:99,actions=in_port");
        assertThat(ofctl("dump-groups")).contains("group_id=99,type=indirect")
            .contains("group_id=5,type=ff,bucket=watch_port:1,actions=output:1,bucket=watch_group:99,actions=IN_PORT");
        ofctl("add-flow", "cookie=0x12,priority=100,ip,nw_dst=10.2.0.1,actions=group:5");
        ofctl("add-flow", "cookie=0x13,priority=200,in_port=1,dl_dst=06:da:00:01:00:02,actions=output:2");
        ofctl("add-flow", "priority=65535,dl_type=0x88cc,actions=CONTROLLER:65535");
        ofctl("add-flow", "priority=0,actions=drop");
        assertThat(ofctl("dump-flows", "--no-stats")).contains(
            "cookie=0x12, priority=100,ip,nw_dst=10.2.0.1 actions=group:5",
            "cookie=0x13, priority=200,in_port=1,dl_dst=06:da:00:01:00:02 actions=output:2",
            "priority=65535,dl_type=0x88cc actions=CONTROLLER:65535", "priority=0 actions=drop");
        assertThat(ofctl("dump-aggregate")).contains("flow_count=4");
        assertThat(ofctl("dump-tables")).contains("active=4");
        assertThat(ofctl("dump-ports")).contains("3 ports");
        assertThat(ofctl("dump-desc")).contains("switch simulator");
        assertThat(ofctl("dump-group-features")).contains("fast failover group:");
        assertThat(ofctl("dump-group-stats")).contains("group_id=5").contains("bucket1");

        ofctl("mod-flows", "--strict", "priority=100,ip,nw_dst=10.2.0.1,actions=output:1");
        assertThat(ofctl("dump-flows", "--no-stats"))
            .contains("cookie=0x12, priority=100,ip,nw_dst=10.2.0.1 actions=output:1");
        ofctl("del-flows", "--strict", "priority=99,ip,nw_dst=10.2.0.1");
        ofctl("del-flows", "cookie=0x13/-1");
        assertThat(ofctl("dump-aggregate")).contains("flow_count=3");
        ofctl("del-flows", "ip");
        assertThat(ofctl("dump-aggregate")).contains("flow_count=2");
        ofctl("add-flow", "priority=7,actions=group:5");
        ofctl("add-flow", "priority=8,actions=group:5");
        ofctl("mod-flows", "--strict", "priority=8,actions=output:1");
        ofctl("del-groups", "group_id=5");
        assertThat(ofctl("dump-flows", "--no-stats")).doesNotContain("group:5").contains("priority=8 actions=output:1");
        assertThat(ofctl("dump-groups")).doesNotContain("group_id=5");
    }

    /** Mistakes are refused with the same errors as by Open vSwitch. */
    @Test
    void mistakesAreRefusedAsByOpenVSwitch() throws Exception {
        assertThat(refused("add-flow", "priority=7,actions=group:5")).contains("OFPBAC_BAD_OUT_GROUP");
        assertThat(refused("mod-group", "group_id=5,type=all")).contains("OFPGMFC_UNKNOWN_GROUP");
        ofctl("add-group", "group_id=5,type=all");
        assertThat(refused("add-group", "group_id=5,type=all")).contains("OFPGMFC_GROUP_EXISTS");
        loop.ask(() -> {
            bridge.refuse(1);
            return null;
        });
        assertThat(refused("add-flow", "priority=7,actions=drop")).contains("OFPFMFC_TABLE_FULL");
        ofctl("add-flow", "priority=7,actions=drop");
        assertThat(ofctl("dump-aggregate")).contains("flow_count=1");
    }

    /** A rule is read back with the bytes that were sent; thousands of rules come in several messages. */
    @Test
    void rulesAreTheBytesThatWereSentAndComeInParts() throws Exception {
        try (var client = new Client()) {
            client.send(HELLO + ADD_RULE);
            // all rules of all tables
            final var request = "0412003800000020" + "0001000000000000" + "ff000000ffffffffffffffff00000000"
                + "0000000000000000" + "0000000000000000" + "0001000400000000";
            client.send(request);
            final var one = client.next(OpenFlow.MULTIPART_REPLY);
            assertThat(one.substring(8, 24)).isEqualTo("0000002000010000");
            assertThat(one.substring(32)).isEqualTo("0060" + "0000" + "0000000000000000" + "0064" + "000000000000"
                + "00000000" + "0000000000000007" + "0000000000000000" + "0000000000000000"
                + ADD_RULE.substring(96));
            for (int rule = 0; rule < 3000; rule++) {
                client.send(ADD_RULE.replace("0a020001", "%08x".formatted(0x0a030000 + rule)));
            }
            client.send(request);
            int parts = 1;
            while (client.next(OpenFlow.MULTIPART_REPLY).substring(20, 24).equals("0001")) {
                parts++;
            }
            assertThat(parts).isEqualTo(5);
        }
    }

    /** Barriers are answered in order, and not while they are held back. */
    @Test
    void barriersComeInOrderAndCanBeHeld() throws Exception {
        try (var client = new Client()) {
            client.send(HELLO + "0414000800000002" + "0402000800000003");
            client.next(OpenFlow.HELLO);
            assertThat(client.next()).isEqualTo("0415000800000002");
            assertThat(client.next()).isEqualTo("0403000800000003");
            hold(true);
            client.send("0414000800000004" + "0402000c00000005cafecafe");
            assertThat(client.next()).isEqualTo("0403000c00000005cafecafe");
            hold(false);
            assertThat(client.next()).isEqualTo("0415000800000004");
        }
    }

    /** Roles follow generation ids; a slave may not change anything and gets no packet-in. */
    @Test
    void rolesFollowTheirGeneration() throws Exception {
        try (var first = new Client(); var second = new Client()) {
            first.send(HELLO + role(2, 5));
            assertThat(first.next(25)).isEqualTo("0419001800000009" + "0000000200000000" + "0000000000000005");
            second.send(HELLO + role(2, 4));
            assertThat(second.next(OpenFlow.ERROR)).startsWith("0401" + "0024" + "00000009" + "000b0000");
            second.send(role(2, 6));
            second.next(25);
            first.send(ADD_RULE);
            assertThat(first.next(OpenFlow.ERROR).substring(16)).startsWith("0001000a" + ADD_RULE.substring(0, 32));
            second.send(ADD_RULE + "0414000800000002");
            assertThat(second.next()).isEqualTo("0415000800000002");
        }
    }

    /** Frames leave by ports with carrier and reach the controller by a rule; a change of carrier is reported. */
    @Test
    void framesAndCarrierAreTold() throws Exception {
        try (var client = new Client()) {
            final var frame = "0180c200000e0200000000da88cc" + "00".repeat(46);
            final var out = "040d0064" + "00000030" + "ffffffff" + "fffffffd" + "0010"
                + "000000000000" + "0000001000000001" + "0000000000000000" + frame;
            client.send(HELLO + out + "0414000800000002");
            client.next(OpenFlow.BARRIER_REPLY);
            assertThat(arrived).containsExactly("up1 60");
            ofctl("add-flow", "cookie=0x99,priority=9,dl_type=0x88cc,actions=CONTROLLER:65535");
            loop.ask(() -> {
                bridge.arrive("up1", HexFormat.of().parseHex(frame));
                bridge.arrive("up2", HexFormat.of().parseHex(frame));
                bridge.carrier("up1", false);
                return null;
            });
            assertThat(client.next(OpenFlow.PACKET_IN).substring(16)).isEqualTo("ffffffff" + "003c" + "01" + "00"
                + "0000000000000099" + "0001000c8000000400000001" + "00000000" + "0000" + frame);
            assertThat(client.next(OpenFlow.PORT_STATUS).substring(16, 96)).startsWith("02").endsWith("00000000");
            assertThat(client.next(OpenFlow.PORT_STATUS).substring(16, 112))
                .startsWith("0200000000000000" + "00000001");
        }
    }

    /** Packets of IP take the rule of highest priority and the first live bucket, and leave daqrings as they came. */
    @Test
    void packetsTakeRulesAndGroups() throws Exception {
        try (var client = new Client()) {
            client.send(HELLO + "0414000800000002");
            client.next(OpenFlow.BARRIER_REPLY);
            loop.ask(() -> {
                bridge.add(new Port(9, "ring", 0x02_00_00_00_00_09L, true, true));
                return null;
            });
            ofctl("add-group", "group_id=1,type=ff,bucket=watch_port:2,actions=output:2,"
                + "bucket=watch_port:1,actions=output:1");
            ofctl("add-flow", "priority=5,ip,nw_dst=10.0.0.0/24,actions=set_field:06:da:00:00:00:01->eth_dst,output:9");
            ofctl("add-flow", "priority=4,ip,nw_dst=10.0.0.1,actions=drop");
            ofctl("add-flow", "priority=6,in_port=9,dl_dst=06:da:00:00:00:01,actions=group:1");
            ofctl("add-flow", "cookie=0x98,priority=7,ip,nw_src=192.0.0.8,nw_dst=10.0.0.2,actions=CONTROLLER:65535");
            final var header = "0200000000010200000000da0800" + "450000280000000040110000c0000008";
            loop.ask(() -> {
                bridge.arrive("up1", HexFormat.of().parseHex(header + "0a000001" + "00".repeat(26)));
                bridge.arrive("up1", HexFormat.of().parseHex(header + "0a000002" + "00".repeat(26)));
                return null;
            });
            assertThat(client.next(OpenFlow.PACKET_IN)).contains("0000000000000098", header + "0a000002");
            assertThat(arrived).containsExactly("up1 60");
            assertThat(ofctl("dump-ports")).containsPattern("port +1: rx pkts=2,[^\\n]*\\n +tx pkts=1,")
                .containsPattern("port +9: rx pkts=1,[^\\n]*\\n +tx pkts=1,")
                .containsPattern("port +2: rx pkts=0,[^\\n]*\\n +tx pkts=0,");
            assertThat(ofctl("dump-flows")).containsPattern("n_packets=1,[^\\n]*in_port=9")
                .containsPattern("n_packets=0,[^\\n]*priority=4");
            assertThat(ofctl("dump-group-stats")).contains("bucket0:packet_count=0", "bucket1:packet_count=1");
        }
    }

    private void hold(final boolean hold) {
        loop.ask(() -> {
            bridge.holdBarriers(hold);
            return null;
        });
    }

    private static String role(final int role, final int generation) {
        return "0418001800000009" + "%08x00000000%016x".formatted(role, generation);
    }

    private String ofctl(final String command, final String... arguments) throws Exception {
        final var running = run(command, arguments);
        final var output = new String(running.getInputStream().readAllBytes());
        assertThat(running.waitFor()).as(command + ": " + output).isZero();
        return output;
    }

    private String refused(final String command, final String argument) throws Exception {
        return new String(run(command, argument).getInputStream().readAllBytes());
    }

    private Process run(final String command, final String... arguments) throws IOException {
        final var options = Stream.of(arguments).filter(each -> each.startsWith("--"));
        final var rest = Stream.of(arguments).filter(each -> !each.startsWith("--"));
        return new ProcessBuilder(Stream.of(Stream.of("ovs-ofctl", "-O", "OpenFlow13"), options,
            Stream.of(command, "tcp:127.0.0.1:" + port), rest).flatMap(each -> each).toList())
            .redirectErrorStream(true).start();
    }

    /** An OpenFlow client that sends and receives messages in hexadecimal. */
    private final class Client implements AutoCloseable {
        private final Socket socket = new Socket("127.0.0.1", port);

        Client() throws IOException {
            socket.setSoTimeout(10_000);
        }

        void send(final String hex) throws IOException {
            socket.getOutputStream().write(HexFormat.of().parseHex(hex));
        }

        String next() throws IOException {
            final var in = new DataInputStream(socket.getInputStream());
            final var header = in.readNBytes(4);
            return HexFormat.of().formatHex(header) + HexFormat.of().formatHex(
                in.readNBytes((ByteBuffer.wrap(header).getShort(2) & 0xffff) - 4));
        }

        /** The next message of a type. */
        String next(final int type) throws IOException {
            var message = next();
            while (Integer.parseInt(message.substring(2, 4), 16) != type) {
                message = next();
            }
            return message;
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
