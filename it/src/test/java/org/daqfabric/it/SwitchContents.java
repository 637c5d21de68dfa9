package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Rules and groups of a switch as {@code ovs-ofctl} prints them, without counters, with the age of each in seconds.
 */
record SwitchContents(SortedMap<String, Double> rules, SortedMap<String, Double> groups, long packets) {
    private static final Pattern AGE = Pattern.compile("duration=([0-9.]+)s, ?");
    private static final Pattern COUNTERS = Pattern.compile("(n_packets|n_bytes|idle_age|hard_age)=([0-9]+), ?");
    private static final Pattern PACKETS = Pattern.compile("n_packets=([0-9]+).*nw_dst=");
    private static final Pattern ADDRESS = Pattern.compile("nw_dst=([0-9.]+)");
    private static final Pattern USED_GROUP = Pattern.compile("group:([0-9]+)");
    private static final Pattern GROUP = Pattern.compile("group_id=([0-9]+)");

    /** Reads them from a bridge; empty if there is no bridge. */
    static SwitchContents read(final Path folder, final String bridge) {
        if (!Files.exists(folder.resolve(bridge + ".mgmt"))) {
            return new SwitchContents(new TreeMap<>(), new TreeMap<>(), 0);
        }
        final var rules = new TreeMap<String, Double>();
        long packets = 0;
        for (var line : ofctl(folder, bridge, "dump-flows")) {
            if (line.contains("cookie=")) {
                final var rule = COUNTERS.matcher(AGE.matcher(line).replaceAll("")).replaceAll("").strip();
                rules.put(rule, age(line));
                final var counter = PACKETS.matcher(line);
                packets += counter.find() ? Long.parseLong(counter.group(1)) : 0;
            }
        }
        final var ages = ofctl(folder, bridge, "dump-group-stats").stream().filter(line -> line.contains("group_id="))
            .collect(Collectors.toMap(SwitchContents::groupId, SwitchContents::age));
        final var groups = new TreeMap<String, Double>();
        ofctl(folder, bridge, "dump-groups").stream().filter(line -> line.contains("group_id="))
            .forEach(line -> groups.put(line.strip(), ages.getOrDefault(groupId(line), 0.0)));
        return new SwitchContents(rules, groups, packets);
    }

    private static List<String> ofctl(final Path folder, final String bridge, final String command) {
        return Processes.run(List.of("ovs-ofctl", "-O", "OpenFlow13", command,
            "unix:" + folder.resolve(bridge + ".mgmt"))).orFail().output().lines().toList();
    }

    private static double age(final String line) {
        final var age = AGE.matcher(line);
        return age.find() ? Double.parseDouble(age.group(1)) : 0;
    }

    private static String groupId(final String line) {
        final var id = GROUP.matcher(line);
        return id.find() ? id.group(1) : "";
    }

    /** Rules and groups without their ages. */
    Set<String> texts() {
        final var texts = new TreeSet<>(rules.keySet());
        texts.addAll(groups.keySet());
        return texts;
    }

    /** The rules for these addresses, and the groups that those use. */
    SwitchContents serving(final Set<String> addresses) {
        final var theirs = new TreeMap<>(rules);
        theirs.keySet().removeIf(rule -> !matches(ADDRESS, rule, addresses));
        final var used = theirs.keySet().stream().flatMap(rule -> USED_GROUP.matcher(rule).results())
            .map(found -> found.group(1)).collect(Collectors.toSet());
        final var theirGroups = new TreeMap<>(groups);
        theirGroups.keySet().removeIf(group -> !used.contains(groupId(group)));
        return new SwitchContents(theirs, theirGroups, packets);
    }

    private static boolean matches(final Pattern pattern, final String text, final Set<String> values) {
        final var found = pattern.matcher(text);
        return found.find() && values.contains(found.group(1));
    }

    /** Fails if any rule or group is missing, different or newer at a later time. */
    void assertUntouchedIn(final SwitchContents later, final String name) {
        assertThat(later.texts()).as(name).isEqualTo(texts());
        assertThat(later.youngest()).as("seconds since " + name + " was changed").isGreaterThanOrEqualTo(youngest());
    }

    /** Age of the newest rule or group in seconds. */
    double youngest() {
        final Function<SortedMap<String, Double>, Double> least = of -> of.values().stream().min(Double::compare)
            .orElse(Double.MAX_VALUE);
        return Math.min(least.apply(rules), least.apply(groups));
    }
}
