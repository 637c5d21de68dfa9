package org.daqfabric.impl.ovsdb;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * A private Open vSwitch: ovsdb-server where the test runs, so that it reaches the driver on loopback; ovs-vswitchd in
 * a network namespace of its own. Needs root. Stops what it started.
 */
final class OvsNode implements AutoCloseable {
    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final String SCHEMA = "/usr/share/openvswitch/vswitch.ovsschema";

    private final String namespace = "dqo" + ProcessHandle.current().pid() + "n" + COUNT.incrementAndGet();
    private final Path folder;
    private final boolean switching;
    private final String[] remotes;
    private Process database;
    private Process vswitchd;

    /** A whole node. */
    OvsNode(String systemId) throws IOException {
        this(systemId, true);
    }

    /**
     * A node.
     *
     * @param switching whether there is a vswitchd
     * @param remotes further remotes of ovsdb-server, such as {@code ptcp:0:127.0.0.1}, and options
     */
    @SuppressWarnings("checkstyle:illegalCatch") // rethrown, after closing what was started
    OvsNode(String systemId, boolean switching, String... remotes) throws IOException {
        this.switching = switching;
        this.remotes = remotes;
        folder = Files.createTempDirectory("dqo");
        try {
            if (switching) {
                run("ip", "netns", "add", namespace);
                run("ip", "-n", namespace, "link", "set", "lo", "up");
            }
            run("ovsdb-tool", "create", folder + "/conf.db", SCHEMA);
            startDatabase();
            vsctl("--no-wait", "init");
            if (!systemId.isEmpty()) {
                vsctl("--no-wait", "set", "Open_vSwitch", ".", "external_ids:system-id=" + systemId);
            }
            startSwitching();
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    void startDatabase() throws IOException {
        List<String> command = new ArrayList<>(List.of("ovsdb-server", folder + "/conf.db",
            "--remote=punix:" + folder + "/db.sock", "--remote=db:Open_vSwitch,Open_vSwitch,manager_options",
            "--unixctl=" + folder + "/db.ctl", "-vconsole:off", "--log-file=" + folder + "/db.log"));
        for (String remote : remotes) {
            command.add(remote.startsWith("--") ? remote : "--remote=" + remote);
        }
        database = start(command.toArray(String[]::new));
        waitFor(folder.resolve("db.sock"));
    }

    void stopDatabase() {
        end(database);
        try {
            Files.deleteIfExists(folder.resolve("db.sock"));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Suspends ovsdb-server: its connections stay open and silent. */
    void freezeDatabase() {
        run("kill", "-STOP", Long.toString(database.pid()));
    }

    void thawDatabase() {
        run("kill", "-CONT", Long.toString(database.pid()));
    }

    void startSwitching() throws IOException {
        if (switching) {
            vswitchd = start("ip", "netns", "exec", namespace, "ovs-vswitchd", "unix:" + folder + "/db.sock",
                "--unixctl=" + folder + "/vs.ctl", "-vconsole:off", "--log-file=" + folder + "/vs.log");
            vsctl("set", "Open_vSwitch", ".", "other_config:started=" + vswitchd.pid());
        }
    }

    void stopSwitching() {
        end(vswitchd);
    }

    void manager(int port) {
        vsctl("--no-wait", "set-manager", "tcp:127.0.0.1:" + port);
    }

    /** Adds a network device to the node's namespace, with its far end beside it. */
    void addDevice(String name) {
        run("ip", "-n", namespace, "link", "add", name, "type", "veth", "peer", "name", name + "-far");
        run("ip", "-n", namespace, "link", "set", name, "up");
        run("ip", "-n", namespace, "link", "set", name + "-far", "up");
    }

    void ip(String... arguments) {
        List<String> command = new ArrayList<>(List.of("ip", "-n", namespace));
        command.addAll(List.of(arguments));
        run(command.toArray(String[]::new));
    }

    String vsctl(String... arguments) {
        List<String> command = new ArrayList<>(List.of("ovs-vsctl", "--db=unix:" + folder + "/db.sock", "-t", "10"));
        command.addAll(List.of(arguments));
        return run(command.toArray(String[]::new)).strip();
    }

    /** A column of a row without its quotes. */
    String get(String table, String row, String column) {
        return vsctl("get", table, row, column).replace("\"", "");
    }

    /** The port on which ovsdb-server listens, chosen by itself. */
    int listeningPort() throws IOException {
        for (String line : Files.readAllLines(folder.resolve("db.log"))) {
            int at = line.indexOf("listening on port ");
            if (at >= 0) {
                return Integer.parseInt(line.substring(at + "listening on port ".length()).strip());
            }
        }
        throw new IllegalStateException("ovsdb-server listens nowhere");
    }

    @Override
    public void close() {
        end(vswitchd);
        end(database);
        try {
            if (switching) {
                run("ip", "netns", "del", namespace);
            }
        } finally {
            try (Stream<Path> files = Files.walk(folder)) {
                files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private Process start(String... command) throws IOException {
        ProcessBuilder builder = prepared(command);
        builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
        return builder.start();
    }

    private String run(String... command) {
        try {
            Process process = prepared(command).start();
            String output = new String(process.getInputStream().readAllBytes());
            if (!process.waitFor(20, TimeUnit.SECONDS) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new IllegalStateException(String.join(" ", command) + ": " + output);
            }
            return output;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private ProcessBuilder prepared(String... command) {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        for (String name : List.of("OVS_RUNDIR", "OVS_DBDIR", "OVS_LOGDIR", "OVS_SYSCONFDIR")) {
            builder.environment().put(name, folder.toString());
        }
        return builder;
    }

    private static void end(Process process) {
        if (process != null) {
            process.destroyForcibly();
            try {
                process.waitFor(10, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void waitFor(Path path) {
        Awaitility.await().until(() -> Files.exists(path));
    }
}
