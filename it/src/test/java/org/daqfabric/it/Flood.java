package org.daqfabric.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Peers or users that cost the controller as much as they can, on its ports for switches and for people. They are a
 * program of their own ({@link FloodProgram}, {@link UserFloodProgram}), which can be put behind all others of this
 * machine.
 */
final class Flood implements AutoCloseable {
    /** The last number of the address of each kind, 127.0.66.N. */
    static final Map<String, Integer> ADDRESSES = Map.of("silent", 1, "slow", 2, "large", 3, "answer", 4, "deaf", 5,
        "ports", 6, "flapping", 7, "named", 8, "many", 9, "hasty", 10);

    private final Process program;
    private long connections = -1;

    private Flood(final Class<?> what, final String... arguments) {
        this(List.of(), what, arguments);
    }

    /**
     * Starts it.
     *
     * @param place a command that runs another one somewhere, in its own place
     */
    private Flood(final List<String> place, final Class<?> what, final String... arguments) {
        final var command = new ArrayList<>(place);
        // a session of its own, as Linux may share processors among sessions before it looks at what is idle in them
        command.addAll(List.of("setsid", Path.of(System.getProperty("java.home"), "bin/java").toString(), "-Xmx128m",
            "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"), what.getName()));
        command.addAll(List.of(arguments));
        try {
            program = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Flood of(final Distribution controller) {
        return new Flood(FloodProgram.class, controller.address(), Integer.toString(controller.port("openflow")),
            Integer.toString(controller.port("ovsdb")), "127.0.0.1", Integer.toString(controller.port("restconf")));
    }

    /** Silent peers from the address of a node of a fabric, on the port for OVSDB. */
    static Flood ofNode(final Distribution controller, final LabFabric fabric, final String node) {
        return new Flood(List.of("ip", "netns", "exec", fabric.namespace(node)), FloodProgram.class,
            controller.addressForSwitches(), Integer.toString(controller.port("ovsdb")));
    }

    /**
     * Requests of users, of a kind of {@link UserFloodProgram}.
     *
     * @param fabric that they ask for
     * @param plan a file with the input of a plan that takes long
     */
    static Flood ofUsers(final Distribution controller, final String kind, final LabFabric fabric, final Path plan) {
        return new Flood(UserFloodProgram.class, controller.restconf().root(), kind, fabric.name(), plan.toString());
    }

    /**
     * Lets it run only while no other program wants to. Attackers bring processors of their own; these would take the
     * controller's, which says nothing of what the controller does for them.
     */
    Flood idle() {
        Processes.run(List.of("chrt", "--all-tasks", "--idle", "--pid", "0", Long.toString(program.pid()))).orFail();
        final var session = Path.of("/proc", Long.toString(program.pid()), "autogroup");
        if (Files.exists(session)) {
            try {
                Files.writeString(session, "19");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return this;
    }

    boolean isRunning() {
        return program.isAlive();
    }

    /** Ends it; the number of connections that it has made, or of requests that were answered. */
    long stop() {
        if (connections < 0) {
            try {
                program.getOutputStream().close();
                connections = Long.parseLong(new String(program.getInputStream().readAllBytes(),
                    StandardCharsets.US_ASCII).strip());
                program.waitFor();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return connections;
    }

    @Override
    public void close() {
        program.destroyForcibly();
    }
}
