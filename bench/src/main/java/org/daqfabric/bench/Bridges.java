package org.daqfabric.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Bridges of a running Open vSwitch that connect to a controller; datapath-ids are 1, 2, 3 and so on. */
final class Bridges {
    private final Path folder;
    private final int controllerPort;
    private int count;

    Bridges(Path folder, int controllerPort) {
        this.folder = folder;
        this.controllerPort = controllerPort;
    }

    static String name(int number) {
        return "br" + number;
    }

    /** Adds bridges until their number is reached. */
    void addUpTo(int wanted) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("ovs-vsctl", "--db=unix:" + folder.resolve("db.sock")));
        for (; count < wanted; count++) {
            String bridge = name(count + 1);
            command.addAll(List.of("--", "add-br", bridge, "--", "set", "Bridge", bridge, "datapath_type=netdev",
                "protocols=OpenFlow13", "fail_mode=secure", "other_config:datapath-id=%016x".formatted(count + 1),
                "--", "set-controller", bridge, "tcp:127.0.0.1:" + controllerPort));
        }
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String answer = new String(process.getInputStream().readAllBytes());
        if (process.waitFor() != 0) {
            throw new IOException("ovs-vsctl: " + answer);
        }
    }
}
