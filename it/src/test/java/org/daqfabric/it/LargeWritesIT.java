package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Writes of more than 256 KiB, such as a fabric of 4000 DCMs or the decision for it: OpenDaylight moves them from its
 * journal into files, and its own code fails at the second one that comes after smaller writes (CONTROLLER-2181). It
 * fails for all writes of a shard from then on, so this uses the shard of topologies, which has no configuration of
 * ours.
 */
@ExtendWith(SharedController.class)
class LargeWritesIT {
    private static final String TOPOLOGY = "data/network-topology:network-topology/topology=";
    private static final String SHARD = "state/odl.cluster.server/shards/member-1-shard-topology-config";
    private static final int LARGE = 400_000;
    private static final int SMALL = 150_000;
    private static final int NODE = 1000;

    @AfterAll
    static void remove(final Restconf restconf) {
        restconf.delete("data/network-topology:network-topology");
    }

    @Test
    void journalTakesLargeWritesBetweenSmallOnes(final Distribution controller, final Restconf restconf)
            throws IOException {
        final var before = files(controller);
        for (int round = 0; round < 3; round++) {
            write(restconf, "large", LARGE, round);
            for (int small = 0; small < 3; small++) {
                write(restconf, "small", SMALL, 3 * round + small);
            }
        }
        assertThat(files(controller) - before).as("writes that were moved into files").isEqualTo(3);
        assertThat(restconf.get(TOPOLOGY + "large?content=config").orFail().body()).hasSizeGreaterThan(LARGE);
    }

    /** Replaces a topology by one whose nodes have so many characters altogether. */
    private static void write(final Restconf restconf, final String id, final int size, final int number) {
        final var nodes = IntStream.range(0, size / NODE)
            .mapToObj(node -> "{\"node-id\":\"" + number + "-" + node + "-" + "n".repeat(NODE) + "\"}")
            .collect(Collectors.joining(","));
        restconf.put(TOPOLOGY + id, "{\"network-topology:topology\":[{\"topology-id\":\"" + id + "\",\"node\":[" + nodes
            + "]}]}").orFail();
    }

    private static long files(final Distribution controller) throws IOException {
        try (var files = Files.list(controller.home().resolve(SHARD))) {
            return files.filter(file -> file.getFileName().toString().startsWith("entry-v1-")).count();
        }
    }
}
