package org.daqfabric.it.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The database of a simulated node answers Open vSwitch's own client, which listens for it as a controller does. */
class SimNodeIT {
    private static final String BRIDGE = """
        ["Open_vSwitch",
         {"op": "insert", "table": "Interface", "uuid-name": "i0", "row": {"name": "br0", "type": "internal"}},
         {"op": "insert", "table": "Port", "uuid-name": "p0",
          "row": {"name": "br0", "interfaces": ["named-uuid", "i0"]}},
         {"op": "insert", "table": "Interface", "uuid-name": "i1", "row": {"name": "up1", "ofport_request": 7}},
         {"op": "insert", "table": "Port", "uuid-name": "p1",
          "row": {"name": "up1", "interfaces": ["named-uuid", "i1"]}},
         {"op": "insert", "table": "Interface", "uuid-name": "i2", "row": {"name": "ring", "type": "daqring"}},
         {"op": "insert", "table": "Port", "uuid-name": "p2",
          "row": {"name": "ring", "interfaces": ["named-uuid", "i2"]}},
         {"op": "insert", "table": "Bridge", "uuid-name": "b",
          "row": {"name": "br0", "other_config": ["map", [["datapath-id", "00000000000000da"]]],
                  "ports": ["set", [["named-uuid", "p0"], ["named-uuid", "p1"], ["named-uuid", "p2"]]]}},
         {"op": "mutate", "table": "Open_vSwitch", "where": [],
          "mutations": [["bridges", "insert", ["set", [["named-uuid", "b"]]]], ["next_cfg", "+=", 1]]}]""";

    private final EventLoop loop = new EventLoop();
    private int port;
    private SimNode node;

    @BeforeEach
    void start() throws IOException {
        try (var free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        node = loop.ask(() -> {
            final var created = new SimNode(loop, "n1", new InetSocketAddress("127.0.0.1", port), false,
                new SimNode.Environment() {
                    @Override
                    public Optional<Boolean> carrier(final SimNode sender, final String device) {
                        return device.equals("up1") ? Optional.of(true) : Optional.empty();
                    }

                    @Override
                    public void sent(final SimNode sender, final String device, final byte[] frame) {
                        // not connected
                    }
                });
            created.start();
            return created;
        });
    }

    @AfterEach
    void end() {
        loop.close();
    }

    /** The schema is valid, inserted rows are complete, and a port gets its number or an error. */
    @Test
    void openVSwitchsOwnClientMakesABridge() throws Exception {
        assertThat(client("get-schema", "")).contains("\"Open_vSwitch\"", "\"iface_types\"");
        assertThat(client("transact", BRIDGE)).doesNotContain("error").contains("\"count\":1");
        assertThat(client("transact", """
            ["Open_vSwitch", {"op": "select", "table": "Interface", "where": [["name", "!=", "br0"]],
                              "columns": ["name", "ofport", "link_state", "error"]},
                             {"op": "select", "table": "Open_vSwitch", "where": [["external_ids", "includes",
                                  ["map", [["system-id", "n1"]]]]], "columns": ["cur_cfg"]}]"""))
            .contains("\"ofport\":7", "\"link_state\":\"up\"", "\"ofport\":-1", "could not open network device ring",
                "\"cur_cfg\":1");
        assertThat(loop.ask(() -> node.bridge("br0").orElseThrow().ports().size())).isEqualTo(2);

        // a duplicate name is refused, and the whole transaction undone
        assertThat(client("transact", BRIDGE)).contains("constraint violation");
        assertThat(client("transact", """
            ["Open_vSwitch", {"op": "wait", "table": "Bridge", "where": [["name", "==", "br0"]], "columns": ["name"],
                              "until": "!=", "rows": [{"name": "br0"}], "timeout": 0},
                             {"op": "mutate", "table": "Open_vSwitch", "where": [],
                              "mutations": [["next_cfg", "+=", 1]]}]"""))
            .contains("timed out", "null");
        assertThat(client("transact", """
            ["Open_vSwitch", {"op": "update", "table": "Open_vSwitch", "where": [], "row": {"bridges": ["set", []]}},
                             {"op": "select", "table": "Open_vSwitch", "where": [], "columns": ["next_cfg"]}]"""))
            .contains("\"next_cfg\":1");
        assertThat(client("dump", "")).contains("n1").doesNotContain("br0").doesNotContain("up1");
        assertThat(loop.ask(() -> node.bridges().size())).isZero();
    }

    private String client(final String command, final String transaction) throws Exception {
        final var running = new ProcessBuilder(Stream.of("ovsdb-client", command, "ptcp:" + port + ":127.0.0.1",
            command.equals("transact") ? transaction : "Open_vSwitch").toList()).redirectErrorStream(true).start();
        final var output = new String(running.getInputStream().readAllBytes());
        assertThat(running.waitFor()).as(command + ": " + output).isZero();
        return output;
    }
}
