package org.daqfabric.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.daqfabric.api.program.Action;
import org.daqfabric.api.program.Group;
import org.daqfabric.api.program.Rule;
import org.daqfabric.impl.engine.diff.Comparison;

/** ovs-ofctl, with which ours is compared, and rules and groups in its syntax (ovs-fields(7), ovs-actions(7)). */
final class Ofctl {
    private final Path folder;

    /**
     * Prepares calls.
     *
     * @param folder with the sockets of the Open vSwitch
     */
    Ofctl(Path folder) {
        this.folder = folder;
    }

    Path write(String name, Collection<String> lines) throws IOException {
        return Files.write(folder.resolve(name), lines);
    }

    /** Adds all rules of a file, or none. */
    void addRules(String bridge, Path rules) throws IOException, InterruptedException {
        run(bridge, "--bundle", "add-flows", rules.toString());
    }

    void addGroups(String bridge, Path groups) throws IOException, InterruptedException {
        run(bridge, "add-groups", groups.toString());
    }

    void empty(String bridge) throws IOException, InterruptedException {
        run(bridge, "del-flows");
        run(bridge, "del-groups");
    }

    int rules(String bridge) throws IOException, InterruptedException {
        String answer = run(bridge, "dump-aggregate");
        return Integer.parseInt(answer.replaceAll("(?s).*flow_count=(\\d+).*", "$1"));
    }

    private String run(String bridge, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("ovs-ofctl", "-O", "OpenFlow13"));
        command.addAll(List.of(arguments));
        command.add(arguments[0].startsWith("--") ? 5 : 4, "unix:" + folder.resolve(bridge + ".mgmt"));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String answer = new String(process.getInputStream().readAllBytes());
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + ": " + answer);
        }
        return answer;
    }

    static String text(Rule rule) {
        return "cookie=0x%x,%s,actions=%s".formatted(rule.cookie(), Comparison.name(rule.key()),
            rule.actions().isEmpty() ? "drop" : actions(rule.actions()));
    }

    static String text(Group group) {
        return "group_id=%s,type=%s%s".formatted(Integer.toUnsignedString(group.id()),
            group.type() == Group.Type.INDIRECT ? "indirect" : "ff",
            group.buckets().stream().map(Ofctl::text).collect(Collectors.joining()));
    }

    private static String text(Group.Bucket bucket) {
        StringBuilder text = new StringBuilder(",bucket=");
        bucket.watchPort().ifPresent(port -> text.append("watch_port:").append(port).append(','));
        bucket.watchGroup().ifPresent(group ->
            text.append("watch_group:").append(Integer.toUnsignedString(group)).append(','));
        return text + "actions=" + actions(bucket.actions());
    }

    private static String actions(List<Action> actions) {
        return actions.stream().map(action -> switch (action) {
            case Action.Output output -> output.port() == Action.LOCAL ? "LOCAL" : "output:" + output.port();
            case Action.OutputInPort unused -> "IN_PORT";
            case Action.ToController unused -> "CONTROLLER:65535";
            case Action.ToGroup group -> "group:" + Integer.toUnsignedString(group.id());
            case Action.SetDestinationMac set -> "set_field:" + set.mac() + "->eth_dst";
            case Action.SetDscp set -> "set_field:" + set.dscp() + "->ip_dscp";
            case Action.Other other -> throw new IllegalArgumentException(other.text());
        }).collect(Collectors.joining(","));
    }
}
