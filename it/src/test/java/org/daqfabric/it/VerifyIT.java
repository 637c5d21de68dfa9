package org.daqfabric.it;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.daqfabric.it.Findings.Finding;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Manual changes of switches are found, reported and corrected on request. The periodic comparison, which would correct
 * them before the test finds them, is disabled.
 */
class VerifyIT {
    private static final Pattern DETAIL = Pattern.compile("cookie=[^,]+, table=0, (.*) actions=(.*)");
    private static final String EXCESS_GROUP = "0xdaffff01";
    private static Distribution controller;
    private static Lab lab;
    private static LabFabric fabric;

    @BeforeAll
    static void bringUp() {
        controller = Distribution.daqfabric("verify").configure(List.of("compare-interval=0")).start();
        lab = new Lab(controller);
        fabric = lab.converged(lab.generate("verify", "--planes 2 --spines 2 --pods 2 --ros 1 --racks 1 --dcms 4")
            .withBfd(true));
        fabric.assertAllReachable();
        assertClean();
    }

    @AfterAll
    static void takeDown() {
        try {
            if (lab != null) {
                lab.close();
            }
        } finally {
            if (controller != null) {
                controller.close();
            }
        }
    }

    private static void assertClean() {
        final var found = fabric.verify();
        assertThat(found.findings()).isEmpty();
        assertThat(found.lost()).isEmpty();
        assertThat(found.switches()).isEqualTo(fabric.file().switches().size());
        final int ros = 2;
        final int dcms = 8;
        assertThat(found.pairs()).isEqualTo(2 * ros * dcms);
    }

    /** Exactly the changes made are found, and the lost pairs reported are the ones that are lost. */
    @Test
    void manualChangesAreFoundAndCorrected() {
        final var before = fabric.contents();
        final var dcm = fabric.state().placement().entrySet().stream()
            .filter(each -> each.getValue().plane() == 1).map(each -> each.getKey()).findFirst().orElseThrow();
        final var host = fabric.file().hosts().get(dcm);
        final var address = host.address();
        final var leaf = "p1l" + host.pod();
        final var otherLeaf = "p2l" + (3 - host.pod());

        fabric.ofctl(leaf, "del-flows", "--strict", match(leaf, address));
        fabric.ofctl("p1s1", "mod-flows", "--strict", match("p1s1", address) + ",actions=drop");
        fabric.ofctl(host.edge(), "add-flow", "cookie=0xdaf0000000000001,priority=7,ip,nw_dst=10.9.9.9,actions=drop");
        fabric.ofctl(host.edge(), "add-flow", "cookie=0x1,priority=8,ip,nw_dst=10.9.9.8,actions=drop");
        final var group = groupOf(otherLeaf);
        fabric.ofctl(otherLeaf, "mod-group", "group_id=" + group + ",type=all");
        fabric.ofctl("p2s2", "add-group", "group_id=" + Long.decode(EXCESS_GROUP) + ",type=all");

        final var rule = "priority=2000,dl_type=0x0800,nw_dst=" + address;
        final var changes = Set.of(new Finding(leaf, "rule", "missing", rule),
            new Finding("p1s1", "rule", "different", rule),
            new Finding(host.edge(), "rule", "excess", "priority=7,dl_type=0x0800,nw_dst=10.9.9.9"),
            new Finding(otherLeaf, "group", "different", "0x" + Long.toHexString(Long.parseLong(group))),
            new Finding("p2s2", "group", "excess", EXCESS_GROUP));
        final var found = fabric.verify();
        assertThat(found.findings()).containsExactlyInAnyOrderElementsOf(changes);
        assertThat(found.foreignRules()).isEqualTo(1);
        assertThat(found.lostPairs()).isEqualTo(fabric.missingPairs()).contains(
            Set.of("r1-1", dcm), Set.of("r2-1", dcm));

        final var ofOne = fabric.verify(leaf);
        assertThat(ofOne.switches()).isEqualTo(1);
        assertThat(ofOne.findings()).extracting(Finding::switchName).containsExactly(leaf);
        assertThat(ofOne.hasPairs()).isFalse();

        assertThat(fabric.resync(leaf).findings()).isEqualTo(ofOne.findings());
        assertThat(fabric.verify().findings()).as("the others are as they were").hasSize(changes.size() - 1)
            .noneMatch(each -> each.switchName().equals(leaf));
        assertThat(fabric.resync().findings()).hasSize(changes.size() - 1);
        assertClean();
        fabric.assertAllReachable();
        assertThat(fabric.verify().foreignRules()).isEqualTo(1);
        assertThat(fabric.contents(host.edge()).texts()).anyMatch(text -> text.contains("nw_dst=10.9.9.8"));

        fabric.ofctl(host.edge(), "del-flows", "--strict", "priority=8,ip,nw_dst=10.9.9.8");
        fabric.contents().forEach((name, now) -> assertThat(now.texts()).as(name).isEqualTo(before.get(name).texts()));
    }

    /** A change that OVSDB reports is corrected at once. */
    @Test
    void changedBfdSettingsAreRestored() {
        final var before = fabric.vsctl("p1l2", "get", "interface", "to-p1s1", "bfd");
        assertThat(before.toString()).contains("enable=\"true\"");
        fabric.vsctl("p1l2", "set", "interface", "to-p1s1", "bfd:enable=false", "bfd:min_rx=999");
        await("bfd").atMost(Duration.ofSeconds(30)).untilAsserted(() ->
            assertThat(fabric.vsctl("p1l2", "get", "interface", "to-p1s1", "bfd")).isEqualTo(before));
        fabric.awaitPhase("converged");
        assertClean();
    }

    /** A switch that hangs is reported as unreadable, not as empty; afterwards it is as before. */
    @Test
    void frozenSwitchIsUnreadable() {
        final var before = fabric.contents("p1s2");
        fabric.daqlab("freeze", "p1s2");
        try {
            for (int time = 0; time < 2; time++) {
                final var found = fabric.verify();
                assertThat(found.findings()).containsExactly(new Finding("p1s2", "rule", "unreadable", ""));
                assertThat(found.hasPairs()).isFalse();
            }
            fabric.assertAllReachable();
        } finally {
            fabric.daqlab("thaw", "p1s2");
        }
        fabric.awaitPhase("converged");
        assertClean();
        fabric.assertAllReachable();
        assertThat(fabric.contents("p1s2").texts()).isEqualTo(before.texts());
    }

    /** Every operation refuses a wrong fabric with the reason, and changes nothing. */
    @ParameterizedTest
    @ValueSource(strings = { "verify", "resync", "rebalance" })
    void wrongFabricsAreRefused(final String rpc) {
        final long generation = fabric.state().generation();
        assertRefused(rpc, "{\"input\": {\"fabric\": \"nobody\"}}", "/input/fabric: there is no fabric nobody");
        assertRefused(rpc, "{\"input\": {\"fabric\": \"a b:c\"}}", "/input/fabric: there is no fabric a b:c");
        assertRefused(rpc, "{\"input\": {\"fabric\": \"\"}}", "/input/fabric: a name has 1 to 64 characters");
        assertRefused(rpc, "{\"input\": {\"fabric\": \"" + "x".repeat(100_000) + "\"}}",
            "/input/fabric: a name has 1 to 64 characters");
        assertRefused(rpc, "{\"input\": {}}", "/input/fabric: name the fabric");
        assertRefused(rpc, "", "/input/fabric: name the fabric");
        assertThat(fabric.state().generation()).isEqualTo(generation);
        assertClean();
    }

    /** The same for switches: if one is unknown, none is read. */
    @ParameterizedTest
    @CsvSource({ "verify, nobody", "resync, nobody", "verify, h1-1d1" })
    void unknownSwitchesAreRefused(final String rpc, final String name) {
        assertRefused(rpc, "{\"input\": {\"fabric\": \"" + fabric.name() + "\", \"switch\": [\"p1l1\", \"" + name
            + "\"]}}", "/input/switch: fabric " + fabric.name() + " has no switch " + name);
    }

    /** Ten thousand unknown names are refused, and so is a name of ten thousand characters. */
    @Test
    void extremeSwitchesAreRefused() {
        final var names = IntStream.range(0, 10_000).mapToObj(each -> "\"s" + each + '"').collect(joining(","));
        assertRefused("verify", "{\"input\": {\"fabric\": \"" + fabric.name() + "\", \"switch\": [" + names + "]}}",
            "/input/switch: fabric " + fabric.name() + " has no switch s");
        assertRefused("resync", "{\"input\": {\"fabric\": \"" + fabric.name() + "\", \"switch\": [\""
            + "x".repeat(10_000) + "\"]}}", "/input/switch: a name has 1 to 64 characters");
    }

    private static void assertRefused(final String rpc, final String body, final String why) {
        final var answer = controller.restconf().post("operations/daqfabric-operations:" + rpc, body);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
        assertThat(answer.errors()).contains(why);
    }

    /** A rule's match in the words of ovs-ofctl. */
    private static String match(final String switchName, final String address) {
        return fabric.contents(switchName).rules().keySet().stream().map(DETAIL::matcher)
            .filter(rule -> rule.matches() && rule.group(1).endsWith("nw_dst=" + address))
            .map(rule -> rule.group(1)).findFirst().orElseThrow();
    }

    /** The id of a group that rules use. */
    private static String groupOf(final String switchName) {
        return fabric.contents(switchName).rules().keySet().stream().map(DETAIL::matcher)
            .filter(rule -> rule.matches() && rule.group(2).startsWith("group:"))
            .map(rule -> rule.group(2).substring("group:".length())).findFirst().orElseThrow();
    }
}
