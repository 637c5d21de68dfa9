package org.daqfabric.it.sim;

import com.google.gson.JsonParser;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Simulates the switches of a fabric file until it is killed: {@code Simulator FILE HOST[:PORT] [--rings]}. */
final class Simulator {
    private static final int OVSDB_PORT = 6640;
    private static final int REPORT_MILLIS = 5000;

    private Simulator() {
    }

    public static void main(final String[] arguments) throws IOException, InterruptedException {
        final var plain = Arrays.stream(arguments).filter(each -> !each.startsWith("--")).toList();
        if (plain.size() != 2) {
            System.err.println("Give a fabric file and the controller's address: Simulator FILE HOST[:PORT] [--rings]");
            System.exit(2);
        }
        final var root = JsonParser.parseString(Files.readString(Path.of(plain.get(0)))).getAsJsonObject();
        final var address = plain.get(1).split(":");
        final var manager = new InetSocketAddress(address[0],
            address.length > 1 ? Integer.parseInt(address[1]) : OVSDB_PORT);
        try (var fabric = new SimFabric(root.getAsJsonArray("daqfabric:fabric").get(0).getAsJsonObject(), manager,
                List.of(arguments).contains("--rings"))) {
            fabric.start();
            while (true) {
                System.out.println(fabric.connected() + " of " + fabric.switches().size() + " switches connected, "
                    + fabric.rules() + " rules held; came: " + fabric.counts());
                // the interval between two reports; the switches run on a thread of their own
                Thread.sleep(REPORT_MILLIS);
            }
        }
    }
}
