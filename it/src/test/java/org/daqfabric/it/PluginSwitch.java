package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.daqfabric.it.Processes.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A switch of another OpenFlow application: an Open vSwitch of its own with one bridge in user space and no device. Its
 * rules are put over RESTCONF, and OpenDaylight's OpenFlow plugin brings them to it.
 */
final class PluginSwitch implements AutoCloseable {
    private static final String BRIDGE = "br-plugin";
    private static final String SCHEMA = "/usr/share/openvswitch/vswitch.ovsschema";
    private static final Duration TIMEOUT = Duration.ofSeconds(120);
    private static final String ID = "openflow:77";

    private final Path folder;
    private final List<Process> processes = new ArrayList<>();
    private int rules;

    /** Starts it, with a controller on this machine. */
    PluginSwitch(final int port) {
        try {
            folder = Files.createTempDirectory("daqfabric-plugin");
            run(List.of("ovsdb-tool", "create", folder + "/conf.db", SCHEMA)).orFail();
            start("ovsdb-server", folder + "/conf.db", "--remote=punix:" + folder + "/db.sock");
            await("ovsdb-server").until(() -> Files.exists(folder.resolve("db.sock")));
            start("ovs-vswitchd", "unix:" + folder + "/db.sock", "--enable-dummy");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        run(List.of("ovs-vsctl", "--db=unix:" + folder + "/db.sock", "--timeout=20", "add-br", BRIDGE, "--", "set",
            "bridge", BRIDGE, "datapath_type=dummy", "fail-mode=secure", "protocols=OpenFlow13",
            "other-config:datapath-id=000000000000004d", "--", "set-controller", BRIDGE, "tcp:127.0.0.1:" + port, "--",
            // it is there again soon after the controller
            "set", "controller", BRIDGE, "max_backoff=1000")).orFail();
    }

    private void start(final String program, final String... arguments) throws IOException {
        final var command = new ArrayList<>(List.of(program));
        command.addAll(List.of(arguments));
        command.add("--unixctl=" + folder + "/" + program + ".ctl");
        final var builder = new ProcessBuilder(command).redirectErrorStream(true)
            .redirectOutput(folder.resolve(program + ".out").toFile());
        builder.environment().put("OVS_RUNDIR", folder.toString());
        final var process = builder.start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        processes.add(process);
    }

    /** Puts one more rule and waits until the switch has all of them. */
    void assertTakesARule(final Restconf restconf) {
        final int number = ++rules;
        final var node = "data/opendaylight-inventory:nodes/node=" + ID.replace(":", "%3A");
        await("the plugin to know its switch").atMost(TIMEOUT).pollInterval(Duration.ofMillis(500))
            .ignoreExceptionsInstanceOf(UncheckedIOException.class).untilAsserted(() ->
                restconf.get(node + "/flow-node-inventory:table=0?content=nonconfig").orFail());
        final var rule = """
            {"flow-node-inventory:flow":[{"id":"%1$d","table_id":0,"priority":%1$d,"cookie":77,
             "match":{"ethernet-match":{"ethernet-type":{"type":2048}},"ipv4-destination":"10.99.0.%1$d/32"},
             "instructions":{"instruction":[{"order":0,"apply-actions":{"action":[
              {"order":0,"output-action":{"output-node-connector":"CONTROLLER","max-length":60}}]}}]}}]}
            """.formatted(number);
        restconf.put(node + "/flow-node-inventory:table=0/flow=" + number, rule).orFail();
        await("rules on the switch of the plugin").atMost(TIMEOUT).pollInterval(Duration.ofMillis(500))
            .untilAsserted(() -> assertThat(count()).isEqualTo(number));
    }

    private long count() {
        return run(List.of("ovs-ofctl", "-O", "OpenFlow13", "dump-flows", "unix:" + folder + "/" + BRIDGE + ".mgmt"))
            .orFail().output().lines().filter(line -> line.contains("nw_dst=10.99.0.")).count();
    }

    @Override
    public void close() {
        processes.reversed().forEach(process -> process.destroyForcibly().onExit().join());
        try (var files = Files.walk(folder)) {
            files.sorted((a, b) -> b.compareTo(a)).forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
