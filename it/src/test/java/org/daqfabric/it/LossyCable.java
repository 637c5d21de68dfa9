package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** A cable from a leaf to a spine of plane 1 that may lose packets: a namespace that forwards frames. */
final class LossyCable implements AutoCloseable {
    private static final Pattern DROPPED = Pattern.compile("counter packets (\\d+) bytes");

    private final LabFabric fabric;
    private final String namespace;

    /** Takes the place of the cable between the first leaf and the first spine. */
    LossyCable(final LabFabric fabric) {
        this(fabric, true);
    }

    private LossyCable(final LabFabric fabric, final boolean leads) {
        this.fabric = fabric;
        namespace = fabric.name() + "-cable";
        ip("netns", "add", namespace);
        // a cable sends nothing itself: no router is sought by it
        Processes.run(List.of("ip", "netns", "exec", namespace, "sysctl", "-qw", "net.ipv6.conf.all.disable_ipv6=1",
            "net.ipv6.conf.default.disable_ipv6=1")).orFail();
        ip("-n", fabric.namespace("p1l1"), "link", "del", "dev", "to-p1s1");
        connect("p1l1", "to-p1s1", "lower");
        connect("p1s1", "to-p1l1", "upper");
        if (leads) {
            lead();
        }
    }

    /** Both ends have carrier, and nothing passes between them until it leads there. */
    static LossyCable leadingNowhere(final LabFabric fabric) {
        return new LossyCable(fabric, false);
    }

    /** What arrives at one end leaves by the other from now on. */
    void lead() {
        nft("add table netdev cable; "
            + "add chain netdev cable there { type filter hook ingress device \"lower\" priority 0; }; "
            + "add chain netdev cable back { type filter hook ingress device \"upper\" priority 0; }; "
            + "add rule netdev cable there fwd to \"upper\"; add rule netdev cable back fwd to \"lower\"");
    }

    private void connect(final String switchName, final String port, final String end) {
        ip("link", "add", "name", port, "netns", fabric.namespace(switchName), "type", "veth", "peer", "name", end,
            "netns", namespace);
        ip("-n", fabric.namespace(switchName), "link", "set", "dev", port, "up");
        ip("-n", namespace, "link", "set", "dev", end, "up");
    }

    private static void ip(final String... arguments) {
        final var command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(arguments));
        Processes.run(command).orFail();
    }

    private String nft(final String commands) {
        return nft(namespace, commands);
    }

    static String nft(final String namespace, final String commands) {
        return Processes.run(List.of("ip", "netns", "exec", namespace, "nft", commands)).orFail().output();
    }

    /** Some of the packets of hosts from the leaf to the spine are dropped from now on. */
    void drop(final String which) {
        dropFrames("ip version 4 " + which);
    }

    /** Some of all frames from the leaf to the spine are. */
    void dropFrames(final String which) {
        nft("insert rule netdev cable there " + which + " counter drop");
    }

    /** Drops no packets any more; the number of those that were. */
    long dropNothing() {
        final var counted = DROPPED.matcher(nft("list chain netdev cable there"));
        assertThat(counted.find()).isTrue();
        nft("flush chain netdev cable there; add rule netdev cable there fwd to \"upper\"");
        return Long.parseLong(counted.group(1));
    }

    /** Packets from the leaf to the spine that the machine has dropped on the cable, as it had too much to do. */
    long overflowed() {
        final var shown = Processes.run(List.of("ip", "-n", namespace, "-s", "-j", "link", "show", "dev", "upper"))
            .orFail().output();
        return JsonParser.parseString(shown).getAsJsonArray().get(0).getAsJsonObject().getAsJsonObject("stats64")
            .getAsJsonObject("tx").get("dropped").getAsLong();
    }

    @Override
    public void close() {
        ip("netns", "del", namespace);
    }
}
