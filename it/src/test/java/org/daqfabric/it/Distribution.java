package org.daqfabric.it;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.awaitility.core.ConditionTimeoutException;

/**
 * A Karaf distribution in a folder of its own, run as a process. Its settings, data and log stay in that folder from
 * one {@link #start()} to the next, so that a test can kill it and see what a restart makes of what it left.
 */
final class Distribution implements AutoCloseable {
    private static final Path ROOT = Path.of(System.getProperty("daq.root", "..")).toAbsolutePath().normalize();
    private static final Set<String> FOR_SWITCHES = Set.of("openflow", "openflow-tls", "ovsdb", "ovsdb-tls");
    private static final Duration BOOT = Duration.ofMinutes(4);

    private final Path home;
    private Map<String, Integer> ports;
    private Process process;
    private int number = 1;
    private List<String> startLog = List.of();
    /** Lines in the log before the last start. */
    private int logged;

    private Distribution(final Path home) {
        this.home = home;
        ports = readPorts();
    }

    /** daqfabric's own distribution, copied to {@code it/target/<name>}, on addresses and ports that are free now. */
    static Distribution daqfabric(final String name) {
        return copy(ROOT.resolve("karaf/target/assembly"), name).onFreeAddress().onFreePorts();
    }

    /** Copies a built distribution, replacing what a former run left under that name. */
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
        run(home.resolve("bin/ports"), settings);
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

    /**
     * Takes the first of 127.0.0.1 to 127.0.0.3 on which nobody listens for switches. The lab's switches find a
     * controller on each of them, on the default ports only.
     */
    private Distribution onFreeAddress() {
        while (!isFree(address(), port("openflow")) || !isFree(address(), port("ovsdb"))) {
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

    /** Which of the addresses for switches it has, from 1: no other controller on this machine has it. */
    int number() {
        return number;
    }

    /** The loopback address it listens on for switches. */
    String address() {
        return "127.0.0." + number;
    }

    /** How the switches of the lab reach it. */
    String addressForSwitches() {
        return "172.31.0." + number;
    }

    /** Shifts all ports but those for switches by the smallest amount that makes them free, from no shift at all on. */
    Distribution onFreePorts() {
        for (int offset = 0; offset < 10_000; offset += 100) {
            final int shift = offset;
            final var moved = ports.entrySet().stream().filter(port -> !FOR_SWITCHES.contains(port.getKey())).toList();
            if (moved.stream().allMatch(port -> isFree("127.0.0.1", port.getValue() + shift))) {
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

    /** The log from the first start until switches could connect. */
    List<String> startLog() {
        return startLog;
    }

    long pid() {
        return process.pid();
    }

    Restconf restconf() {
        return new Restconf("http://127.0.0.1:" + port("restconf") + "/rests");
    }

    /** Starts it and waits until RESTCONF serves our module and switches can connect. */
    Distribution start() {
        start("daqfabric:fabrics");
        awaitOrTell("OpenFlow listener", Duration.ofMinutes(1),
            () -> listensOn(ports.containsKey("openflow") ? "openflow" : "openflow-tls"));
        if (startLog.isEmpty()) {
            startLog = logLines();
        }
        return this;
    }

    /** Whether somebody listens on one of its ports for switches. */
    boolean listensOn(final String port) {
        return !isFree(address(), port(port));
    }

    /** Starts it and waits until RESTCONF serves {@code module:container}. */
    Distribution start(final String container) {
        final var builder = new ProcessBuilder(home.resolve("bin/karaf").toString(), "server")
            .directory(home.toFile())
            .redirectErrorStream(true)
            .redirectOutput(home.resolve("console.log").toFile());
        builder.environment().putAll(environment());
        logged = Files.exists(log()) ? logLines().size() : 0;
        // One process, not a shell with a child: its number is the controller's.
        builder.environment().put("KARAF_EXEC", "exec");
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        awaitServed(container);
        return this;
    }

    /** Waits until RESTCONF serves {@code module:container}, with or without data in it. */
    void awaitServed(final String container) {
        awaitOrTell("RESTCONF serving " + container, BOOT, () -> restconf().serves(container));
    }

    /** Waits for something; if it does not come, says on one line what was logged as an error since the last start. */
    void awaitOrTell(final String what, final Duration atMost, final Callable<Boolean> condition) {
        try {
            await(what).atMost(atMost).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(300))
                .failFast("the controller has ended, see " + home.resolve("console.log") + " and " + log(),
                    () -> !process.isAlive())
                .until(condition);
        } catch (ConditionTimeoutException e) {
            final var errors = logLines().stream().skip(logged).filter(line -> line.contains("| ERROR |"))
                .map(line -> line.substring(line.indexOf("| ERROR |") + 9)).distinct().limit(10).toList();
            throw new AssertionError("no " + what + " after " + atMost + "; " + listening() + "; "
                + String.join(" -- ", errors) + "; see " + log(), e);
        }
    }

    /** Which of its ports somebody listens on. */
    private String listening() {
        return ports.entrySet().stream().map(port -> port.getKey() + " " + port.getValue() + " "
            + (isFree("127.0.0.1", port.getValue()) ? "free" : "taken")).collect(Collectors.joining(", "));
    }

    /** Stops it the way an operator does, and returns its exit code. */
    int stop() {
        run(home.resolve("bin/stop"));
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                throw new AssertionError("Not stopped after 60 s, see " + log());
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return process.exitValue();
    }

    /** As {@code kill -9}: no goodbye to switches, nothing flushed. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Runs a command in the Karaf shell and returns what it printed. Java 21 only. */
    String shell(final String command) {
        // By standard input: with the command as an argument the client gives up as soon as its input ends.
        return runWithInput(command, home.resolve("bin/client"), "-a", Integer.toString(port("ssh")), "-h",
            "127.0.0.1", "-u", "karaf", "-p", "karaf", "-b");
    }

    /** Bytes of its live objects, once all others are collected: what is held softly goes with the second collection. */
    long liveHeap() {
        final var jcmd = Path.of(System.getProperty("java.home"), "bin/jcmd");
        run(jcmd, Long.toString(pid()), "GC.run");
        final var total = run(jcmd, Long.toString(pid()), "GC.class_histogram").lines()
            .filter(line -> line.startsWith("Total ")).findFirst().orElseThrow();
        return Long.parseLong(total.split(" +")[2]);
    }

    @Override
    public void close() {
        if (process != null && process.isAlive()) {
            kill();
        }
    }

    private Map<String, Integer> readPorts() {
        final var result = new LinkedHashMap<String, Integer>();
        for (var line : run(home.resolve("bin/ports")).lines().toList()) {
            final var words = line.split(" ");
            if (!words[1].isEmpty()) {
                result.put(words[0], Integer.parseInt(words[1]));
            }
        }
        return result;
    }

    private String run(final Path program, final String... arguments) {
        return runWithInput("", program, arguments);
    }

    private String runWithInput(final String input, final Path program, final String... arguments) {
        final var command = new ArrayList<String>();
        command.add(program.toString());
        command.addAll(Arrays.asList(arguments));
        final var builder = new ProcessBuilder(command).directory(home.toFile()).redirectErrorStream(true);
        builder.environment().putAll(environment());
        try {
            final var running = builder.start();
            try (var stdin = running.getOutputStream()) {
                stdin.write(input.getBytes());
            }
            final var output = new String(running.getInputStream().readAllBytes());
            if (running.waitFor() != 0) {
                throw new AssertionError(String.join(" ", command) + " failed: " + output);
            }
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The Java that {@code scripts/setup} found for the controller, else the one that runs the tests. */
    private static Map<String, String> environment() {
        var java = System.getenv("DAQ_JAVA");
        final var found = ROOT.resolve(".cache/env.sh");
        if (java == null && Files.exists(found)) {
            try {
                java = Files.readAllLines(found).stream().filter(line -> line.startsWith("DAQ_JAVA="))
                    .map(line -> line.substring("DAQ_JAVA=".length())).findFirst().orElse(null);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return Map.of("JAVA_HOME", java == null ? System.getProperty("java.home") : java);
    }

    private static boolean isFree(final String address, final int port) {
        try (var socket = new ServerSocket(port, 1, InetAddress.getByName(address))) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
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

    /** Bundles and libraries are linked, not copied: nothing writes to them, and there are 150 MB of them. */
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
