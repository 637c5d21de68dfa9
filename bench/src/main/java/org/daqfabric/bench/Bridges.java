package org.daqfabric.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Bridges of a running Open vSwitch that connect to a controller; datapath-ids are 1, 2, 3 and so on. */
final class Bridges {
    private final Path folder;
    private final int controllerPort;
    private int made;

    Bridges(Path folder, int controllerPort) {
        this.folder = folder;
        this.controllerPort = controllerPort;
    }

    static String name(int number) {
        return "br" + number;
    }

    /** Adds bridges until there are so many. */
    void make(int count) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("ovs-vsctl", "--db=unix:" + folder.resolve("db.sock")));
        for (; made < count; made++) {
            String bridge = name(made + 1);
            command.addAll(List.of("--", "add-br", bridge, "--", "set", "Bridge", bridge, "datapath_type=netdev",
                "protocols=OpenFlow13", "fail_mode=secure", "other_config:datapath-id=%016x".formatted(made + 1),
                "--", "set-controller", bridge, "tcp:127.0.0.1:" + controllerPort));
        }
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String answer = new String(process.getInputStream().readAllBytes());
        if (process.waitFor() != 0) {
            throw new IOException("ovs-vsctl: " + answer);
        }
    }
}
