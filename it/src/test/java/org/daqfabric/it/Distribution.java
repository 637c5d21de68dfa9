package org.daqfabric.it;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.awaitility.core.ConditionTimeoutException;

/**
 * A Karaf distribution in its own folder, run as a process. Settings, data and log stay in the folder from one
 * {@link #start()} to the next, so that a test can kill and restart it.
 */
final class Distribution implements AutoCloseable {
    private static final Path ROOT = Path.of(System.getProperty("daq.root", "..")).toAbsolutePath().normalize();
    private static final String OPTIONS = "EXTRA_JAVA_OPTS"; // of bin/setenv
    private static final Set<String> SWITCH_PORTS = Set.of("openflow", "openflow-tls", "ovsdb", "ovsdb-tls");
    private static final Duration BOOT_TIMEOUT = Duration.ofMinutes(8);

    private final Path home;
    private final Programs programs;
    /** Environment of the controller; one process, not a shell with a child, so that the pid is the controller's. */
    private final Map<String, String> variables = new HashMap<>(Map.of("KARAF_EXEC", "exec"));
    private Map<String, Integer> ports;
    private Jvm jvm;
    private int number = 1;
    private List<String> startLog = List.of();
    /** Number of lines in the log before the last start. */
    private int linesBeforeStart;

    private Distribution(final Path home) {
        this.home = home;
        programs = new Programs(home, () -> jvm == null ? "" : jvm.threads());
        ports = readPorts();
        KeptLogs.ofController(home);
    }

    /**
     * The distribution of daqfabric, copied to {@code it/target/<name>}, on a free address and free ports. Its first
     * start gives the account admin the password that all tests use, instead of one that nobody knows.
     */
    static Distribution daqfabric(final String name) {
        return copy(ROOT.resolve("karaf/target/assembly"), name).onFreeAddress().onFreePorts()
            .givingPassword("admin", "admin").withShortHostKey();
    }

    /** Each connection to the shell takes half the time by it, and each copy makes a key of its own. */
    private Distribution withShortHostKey() {
        try {
            Files.writeString(home.resolve("etc/org.apache.karaf.shell.cfg"), "\nkeySize = 2048\n",
                StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /** Says what password an account is made with. Before the first {@link #start()}. */
    private Distribution givingPassword(final String account, final String password) {
        try {
            Files.writeString(Files.createDirectories(home.resolve("data/accounts")).resolve(account),
                "user = \"" + account + ':' + password + "\"\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /** Copies a built distribution, replacing the copy of a former run. */
    static Distribution copy(final Path assembly, final String name) {
        if (!Files.isExecutable(assembly.resolve("bin/karaf"))) {
            throw new IllegalStateException("Nothing built in " + assembly + ": run 'make build' first");
        }
        final var home = ROOT.resolve("it/target").resolve(name);
        try {
            delete(home);
            copyTree(assembly, home);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot copy " + assembly, e);
        }
        return new Distribution(home);
    }

    static Path projectRoot() {
        return ROOT;
    }

    /** Sets ports by their names in {@code bin/ports}, for example {@code openflow=6653}. Before {@link #start()}. */
    Distribution ports(final String... settings) {
        programs.run("bin/ports", settings);
        ports = readPorts();
        return this;
    }

    /** Sets lines {@code key=value} of {@code etc/org.daqfabric.cfg}. Before {@link #start()}. */
    Distribution configure(final List<String> settings) {
        final var file = home.resolve("etc/org.daqfabric.cfg");
        try {
            var text = Files.readString(file);
            for (var setting : settings) {
                final var key = setting.substring(0, setting.indexOf('=') + 1);
                text = text.replaceAll("(?m)^" + key + ".*$", setting);
            }
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ports = readPorts();
        return this;
    }

    /** Sets a variable of the controller's environment. Before {@link #start()}. */
    Distribution variable(final String name, final String value) {
        variables.put(name, value);
        return this;
    }

    /** Adds an option of Java to those that all controllers get from the environment. Before {@link #start()}. */
    Distribution option(final String option) {
        final var given = System.getenv(OPTIONS);
        return variable(OPTIONS, given == null ? option : given + " " + option);
    }

    /**
     * Takes the first of 127.0.0.1 to 127.0.0.3 on which nothing listens for switches. Switches of the lab can reach a
     * controller on each of them, but only on the default ports. Before {@link #start()}.
     */
    Distribution onFreeAddress() {
        ports = readPorts();
        while (!Ports.isFree(address(), port("openflow")) || !Ports.isFree(address(), port("ovsdb"))) {
            if (++number > 3) {
                throw new IllegalStateException("No free address for switches: three controllers run on this machine");
            }
        }
        final var settings = home.resolve("etc/org.daqfabric.cfg");
        try {
            Files.writeString(settings,
                Files.readString(settings).replace("-address=127.0.0.1", "-address=" + address()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /** Number of its address for switches, from 1; unique among the controllers on this machine. */
    int number() {
        return number;
    }

    /** The loopback address it listens on for switches. */
    String address() {
        return "127.0.0." + number;
    }

    /** The address under which the switches of the lab reach it. */
    String addressForSwitches() {
        return "172.31.0." + number;
    }

    /** Shifts all ports but those for switches by the smallest offset, possibly 0, at which they are free. */
    Distribution onFreePorts() {
        for (int offset = 0; offset < 10_000; offset += 100) {
            final int shift = offset;
            final var moved = ports.entrySet().stream().filter(port -> !SWITCH_PORTS.contains(port.getKey())).toList();
            if (moved.stream().allMatch(port -> Ports.isFree("127.0.0.1", port.getValue() + shift))) {
                return shift == 0 ? this : ports(moved.stream().map(port -> port.getKey() + "="
                    + (port.getValue() + shift)).toArray(String[]::new));
            }
        }
        throw new IllegalStateException("No free ports near " + ports);
    }

    int port(final String name) {
        final var port = ports.get(name);
        if (port == null) {
            throw new IllegalArgumentException("No port " + name + ", there are " + ports.keySet());
        }
        return port;
    }

    Path home() {
        return home;
    }

    Path log() {
        return home.resolve("data/log/karaf.log");
    }

    List<String> logLines() {
        try {
            return new String(Files.readAllBytes(log()), StandardCharsets.UTF_8).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The log of the first start until switches could connect. */
    List<String> startLog() {
        return startLog;
    }

    long pid() {
        return jvm.pid();
    }

    Restconf restconf() {
        return new Restconf("http://127.0.0.1:" + port("restconf") + "/rests");
    }

    /** Starts it and waits until RESTCONF serves our module and switches can connect. */
    Distribution start() {
        start("daqfabric:fabrics");
        awaitOrReport("OpenFlow listener", Duration.ofMinutes(1),
            () -> listensOn(ports.containsKey("openflow") ? "openflow" : "openflow-tls"));
        if (startLog.isEmpty()) {
            startLog = logLines();
        }
        return this;
    }

    /** Whether anything listens on one of its ports for switches. */
    boolean listensOn(final String port) {
        return !Ports.isFree(address(), port(port));
    }

    /** Starts it and waits until RESTCONF serves {@code module:container}. */
    Distribution start(final String container) {
        final var builder = new ProcessBuilder(home.resolve("bin/karaf").toString(), "server")
            .directory(home.toFile())
            .redirectErrorStream(true)
            .redirectOutput(home.resolve("console.log").toFile());
        builder.environment().putAll(Programs.environment());
        linesBeforeStart = Files.exists(log()) ? logLines().size() : 0;
        builder.environment().putAll(variables);
        try {
            final var process = builder.start();
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
            jvm = new Jvm(process);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        awaitServed(container);
        return this;
    }

    /** Waits until RESTCONF serves {@code module:container}, with or without data in it. */
    void awaitServed(final String container) {
        awaitOrReport("RESTCONF serving " + container, BOOT_TIMEOUT, () -> restconf().serves(container));
    }

    /** Waits for a condition; on a timeout reports in one line the errors logged since the last start. */
    void awaitOrReport(final String what, final Duration atMost, final Callable<Boolean> condition) {
        try {
            await(what).atMost(atMost).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(300))
                .failFast("the controller has ended, see " + home.resolve("console.log") + " and " + log(),
                    () -> !jvm.runs())
                .until(condition);
        } catch (ConditionTimeoutException e) {
            final var errors = logLines().stream().skip(linesBeforeStart).filter(line -> line.contains("| ERROR |"))
                .map(line -> line.substring(line.indexOf("| ERROR |") + 9)).distinct().limit(10).toList();
            throw new AssertionError("no " + what + " after " + atMost + "; " + listening() + "; "
                + String.join(" -- ", errors) + "; see " + log(), e);
        }
    }

    /** Its ports, free or taken. */
    private String listening() {
        return ports.entrySet().stream().map(port -> port.getKey() + " " + port.getValue() + " "
            + (Ports.isFree("127.0.0.1", port.getValue()) ? "free" : "taken")).collect(Collectors.joining(", "));
    }

    /** Stops it as an operator does and returns the exit code. */
    int stop() {
        programs.run("bin/stop");
        return jvm.awaitEnd(log());
    }

    /** Deletes all that OpenDaylight has stored, while it is stopped: as after a new installation. */
    void eraseStored() {
        try {
            for (var folder : List.of("state", "segmented-journal", "snapshots")) {
                delete(home.resolve(folder));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Like {@code kill -9}: connections are not closed, nothing is flushed. */
    void kill() {
        jvm.kill();
    }

    /** Runs a command in the Karaf shell and returns what it printed. Java 21 only. */
    String shell(final String command) {
        // by standard input: with the command as an argument the client stops as soon as its input ends; it finds the
        // shell's account in etc/users.properties
        return programs.runWithInput(command, "bin/client", "-a", Integer.toString(port("ssh")), "-h",
            "127.0.0.1", "-b");
    }

    /** Bytes of live objects after garbage collection; the second collection clears soft references. */
    long liveHeap() {
        return jvm.liveHeap();
    }

    @Override
    public void close() {
        if (jvm != null && jvm.runs()) {
            kill();
        }
    }

    private Map<String, Integer> readPorts() {
        final var result = new LinkedHashMap<String, Integer>();
        for (var line : programs.run("bin/ports").lines().toList()) {
            final var words = line.split(" ");
            if (!words[1].isEmpty()) {
                result.put(words[0], Integer.parseInt(words[1]));
            }
        }
        return result;
    }

    private static void delete(final Path tree) throws IOException {
        if (!Files.exists(tree)) {
            return;
        }
        try (var paths = Files.walk(tree)) {
            for (var path : paths.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(path);
            }
        }
    }

    /** Jars are linked, not copied: they are never written, and have 150 MB. */
    private static void copyTree(final Path from, final Path to) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(final Path dir, final BasicFileAttributes attrs)
                    throws IOException {
                Files.createDirectories(to.resolve(from.relativize(dir)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(final Path file, final BasicFileAttributes attrs) throws IOException {
                final var target = to.resolve(from.relativize(file));
                if (file.toString().endsWith(".jar")) {
                    Files.createLink(target, file);
                } else {
                    Files.copy(file, target, StandardCopyOption.COPY_ATTRIBUTES);
                }
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
