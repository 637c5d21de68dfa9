package org.daqfabric.impl.cluster;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import java.nio.file.Path;
import java.util.List;

/**
 * This controller's place in its cluster, as configured.
 *
 * @param name in OpenDaylight, such as {@code member-1}
 * @param address where the other members reach it
 * @param members number of members
 */
public record Member(String name, String address, int members) {
    private static final Path FILE = Path.of("configuration", "initial", "pekko.conf");
    private static final String ROOT = "odl-cluster-data.pekko.";

    /**
     * Reads the file that OpenDaylight itself reads.
     *
     * @param home of Karaf; without that file the controller is alone
     */
    public static Member read(Path home) {
        Config config = ConfigFactory.parseFile(home.resolve(FILE).toFile());
        try {
            List<String> roles = config.getStringList(ROOT + "cluster.roles");
            return new Member(roles.stream().filter(role -> role.startsWith("member-")).findFirst().orElse("member-1"),
                config.getString(ROOT + "remote.artery.canonical.hostname"),
                config.getStringList(ROOT + "cluster.seed-nodes").size());
        } catch (ConfigException.Missing e) {
            return new Member("member-1", "127.0.0.1", 1);
        }
    }

    /**
     * Addresses of all members as Pekko writes them, in the order of their numbers, as {@code bin/cluster} has set them
     * in the same file; empty if the controller is alone.
     */
    public static List<String> addresses(Path home) {
        try {
            List<String> seeds = ConfigFactory.parseFile(home.resolve(FILE).toFile())
                .getStringList(ROOT + "cluster.seed-nodes");
            return seeds.size() > 1 ? List.copyOf(seeds) : List.of();
        } catch (ConfigException.Missing e) {
            return List.of();
        }
    }

    /** Whether it is no member of a cluster. */
    public boolean isAlone() {
        return members <= 1;
    }
}
