package org.daqfabric.it;

import static org.daqfabric.it.Processes.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The fabrics of one test class on real Open vSwitch, which are removed when it is closed. */
final class Lab implements AutoCloseable {
    private static final String DAQLAB = Distribution.projectRoot().resolve("lab/daqlab").toString();

    private final Distribution controller;
    private final List<LabFabric> fabrics = new ArrayList<>();

    Lab(final Distribution controller) {
        this.controller = controller;
    }

    /**
     * A fabric file by {@code daqlab generate}, with a name and system-ids that are unique on this machine. Without
     * BFD: where compilers and switches share two CPUs it gives false alarms, on which tests without failures would
     * fail. Tests of failures use {@link FabricFile#withBfd}.
     */
    FabricFile generate(final String name, final String options) {
        final var unique = name + "-" + controller.number();
        final var file = FabricFile.parse(daqlab(("generate --name " + unique + " " + options).split(" ")).output());
        for (var each : FabricFile.entries(file.fabric(), "switch")) {
            each.addProperty("system-id", unique + "." + each.get("name").getAsString());
        }
        return file.withBfd(false);
    }

    /** A fabric that is not started yet. */
    LabFabric fabric(final FabricFile file) {
        final var fabric = new LabFabric(controller, file);
        fabrics.add(fabric);
        return fabric;
    }

    /** Starts and configures a fabric and waits until it is {@code converged}. */
    LabFabric converged(final FabricFile file) {
        return fabric(file).up().put(file).awaitPhase("converged");
    }

    static Processes.Outcome daqlab(final String... arguments) {
        return tryDaqlab(arguments).orFail();
    }

    static Processes.Outcome tryDaqlab(final String... arguments) {
        return run(command(arguments));
    }

    static List<String> command(final String... arguments) {
        final var command = new ArrayList<>(List.of(DAQLAB));
        command.addAll(Arrays.asList(arguments));
        return command;
    }

    @Override
    @SuppressWarnings("checkstyle:illegalCatch") // the other fabrics are closed too, then it is thrown
    public void close() {
        AssertionError failure = null;
        for (var fabric : fabrics) {
            try {
                fabric.close();
            } catch (RuntimeException | AssertionError e) {
                failure = failure == null ? new AssertionError("A fabric is left", e) : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
