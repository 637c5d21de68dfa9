package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What docs/operations.md says is left alone changes no packet of ours, on real Open vSwitch: what does is not to be
 * left alone, as tx-flush-interval and userspace-tso-enable once were.
 */
@ExtendWith(SharedController.class)
class LeftAloneColumnsIT {
    private static final Set<String> TABLES = Set.of("Open_vSwitch", "Bridge", "Port", "Interface", "Controller",
        "Manager", "Mirror", "QoS", "Queue", ColumnTable.PORT_BITS);
    /**
     * The site's managers and certificates: whoever changes them cuts off the node, which other tests do. And what
     * Open vSwitch 3.1 does not have.
     */
    private static final Set<String> ELSEWHERE = Set.of("Open_vSwitch manager_options", "Open_vSwitch ssl",
        "Manager target", "Mirror filter");
    /** Whole rows, each with a name for those after it; a mirror to a port that is not ours. */
    private static final List<String> ROWS = List.of("Mirror name=odd select_all=true select_src_port=@up"
            + " select_dst_port=@up select_vlan=0 snaplen=14 output_port=@odd external_ids:other=odd",
        "Queue dscp=20 other_config:max-rate=1000 external_ids:other=odd",
        "QoS type=linux-htb queues:0=@Queue other_config:max-rate=1000 external_ids:other=odd");
    /** As ovs-ofctl shows them, by the name of the line. */
    private static final Map<String, String> BITS = Map.of("no-flood", "NO_FLOOD", "no-stp", "NO_STP",
        "no-receive-stp", "NO_RECV_STP");
    /** They refer to rows that are made for them. */
    private static final List<String> SAMPLES = List.of("netflow NetFlow targets=\"127.0.0.1:9995\" active_timeout=1",
        "sflow sFlow targets=\"127.0.0.1:6343\" agent=lo sampling=1 polling=1",
        "ipfix IPFIX targets=\"127.0.0.1:4739\" sampling=1");
    /** Table, name, and a value as far from the default as it may be. */
    private static final List<String> VALUES = """
        Open_vSwitch other_config:flow-limit 10
        Open_vSwitch other_config:max-idle 100
        Open_vSwitch other_config:max-revalidator 100
        Open_vSwitch other_config:min-revalidate-pps 100000
        Open_vSwitch other_config:emc-insert-inv-prob 0
        Open_vSwitch other_config:smc-enable true
        Open_vSwitch other_config:hw-offload true
        Open_vSwitch other_config:offload-rebalance true
        Open_vSwitch other_config:tc-policy skip_sw
        Open_vSwitch other_config:vlan-limit 1
        Open_vSwitch other_config:n-handler-threads 1
        Open_vSwitch other_config:n-revalidator-threads 1
        Open_vSwitch other_config:n-offload-threads 2
        Open_vSwitch other_config:pmd-rxq-assign roundrobin
        Open_vSwitch other_config:pmd-rxq-isolate false
        Open_vSwitch other_config:pmd-auto-lb true
        Open_vSwitch other_config:pmd-auto-lb-load-threshold 1
        Open_vSwitch other_config:pmd-auto-lb-rebal-interval 1
        Open_vSwitch other_config:pmd-auto-lb-improvement-threshold 1
        Open_vSwitch other_config:pmd-maxsleep 10000
        Open_vSwitch other_config:pmd-perf-metrics true
        Open_vSwitch other_config:per-port-memory true
        Open_vSwitch other_config:shared-mempool-config 9000
        Open_vSwitch other_config:dpdk-alloc-mem 64
        Open_vSwitch other_config:dpdk-socket-limit 64
        Open_vSwitch other_config:dpdk-hugepage-dir /nowhere
        Open_vSwitch other_config:vhost-sock-dir nowhere
        Open_vSwitch other_config:vhost-iommu-support true
        Open_vSwitch other_config:vhost-postcopy-support true
        Open_vSwitch other_config:stats-update-interval 600000
        Open_vSwitch other_config:enable-statistics true
        Open_vSwitch other_config:private_key /nowhere
        Open_vSwitch other_config:certificate /nowhere
        Open_vSwitch other_config:ca_cert /nowhere
        Open_vSwitch other_config:ipsec_skb_mark 1/1
        Open_vSwitch other_config:bundle-idle-timeout 1
        Open_vSwitch other_config:ovsdb-timeout 1
        Bridge flood_vlans [5]
        Bridge other_config:forward-bpdu true
        Bridge other_config:mac-aging-time 15
        Bridge other_config:mac-table-size 10
        Bridge other_config:mcast-snooping-aging-time 15
        Bridge other_config:mcast-snooping-table-size 1
        Bridge other_config:mcast-snooping-disable-flood-unregistered true
        Bridge other_config:stp-system-id "02:00:00:00:00:01"
        Bridge other_config:stp-priority 0
        Bridge other_config:stp-hello-time 10
        Bridge other_config:stp-max-age 40
        Bridge other_config:stp-forward-delay 30
        Bridge other_config:rstp-address "02:00:00:00:00:01"
        Bridge other_config:rstp-priority 0
        Bridge other_config:rstp-ageing-time 10
        Bridge other_config:rstp-force-protocol-version 0
        Bridge other_config:rstp-max-age 6
        Bridge other_config:rstp-forward-delay 30
        Bridge other_config:rstp-transmit-hold-count 1
        Bridge other_config:in-band-queue 5
        Bridge other_config:dp-desc odd
        Bridge other_config:controller-queue-size 1
        Open_vSwitch external_ids:other odd
        Bridge external_ids:other odd
        Port bond_mode balance-tcp
        Port bond_updelay 60000
        Port bond_downdelay 60000
        Port bond_fake_iface true
        Port mac "02:00:00:00:00:05"
        Port other_config:bond-hash-basis 7
        Port other_config:lb-output-action true
        Port other_config:bond-primary v9
        Port other_config:all-members-active true
        Port other_config:all-slaves-active true
        Port other_config:bond-detect-mode miimon
        Port other_config:bond-miimon-interval 10
        Port other_config:bond-rebalance-interval 1000
        Port other_config:lacp-system-id "02:00:00:00:00:01"
        Port other_config:lacp-system-priority 1
        Port other_config:lacp-time fast
        Port other_config:lacp-fallback-ab true
        Port other_config:stp-enable false
        Port other_config:stp-port-num 200
        Port other_config:stp-port-priority 0
        Port other_config:stp-path-cost 65535
        Port other_config:rstp-enable false
        Port other_config:rstp-port-priority 240
        Port other_config:rstp-port-num 200
        Port other_config:rstp-path-cost 200000000
        Port other_config:rstp-port-admin-edge false
        Port other_config:rstp-port-auto-edge false
        Port other_config:rstp-port-mcheck true
        Port other_config:priority-tags always
        Port other_config:qinq-ethtype 802.1q
        Port other_config:mcast-snooping-flood true
        Port other_config:mcast-snooping-flood-reports true
        Port other_config:transient true
        Port external_ids:other odd
        Interface ingress_policing_burst 1
        Interface ingress_policing_kpkts_burst 1
        Interface mac "02:00:00:00:00:06"
        Interface other_config:cfm_interval 1
        Interface other_config:cfm_extended true
        Interface other_config:cfm_demand true
        Interface other_config:cfm_opstate down
        Interface other_config:cfm_ccm_vlan 5
        Interface other_config:cfm_ccm_pcp 7
        Interface other_config:lacp-port-id 9
        Interface other_config:lacp-port-priority 9
        Interface other_config:lacp-aggregation-key 9
        Interface other_config:pmd-rxq-affinity 0:99
        Interface other_config:tx-steering hash
        Interface other_config:emc-enable false
        Interface external_ids:other odd
        Open_vSwitch other_config:hw-offload-priority tc
        Open_vSwitch other_config:offloaded-stats-delay 1
        Open_vSwitch other_config:pmd-sleep-max 10000
        Open_vSwitch other_config:dpdk-probe-at-init true
        Open_vSwitch other_config:explicit-sampled-drops true
        Interface other_config:hw-offload-priority tc
        Controller other_config:dscp 20
        Controller external_ids:other odd
        Manager connection_mode in-band
        Manager inactivity_probe 60000
        Manager max_backoff 60000
        Manager other_config:dscp 20
        Manager external_ids:other odd
        """.strip().lines().map(String::strip).toList();
    private static final String NODE = "p2l1";
    private static final String PORT = "to-p2s1";
    /** Threads that are started anew may lose packets until then. */
    private static final Duration LIMIT = Duration.ofSeconds(6);

    private static LabFabric fabric;

    @BeforeAll
    static void bringUp(final Lab lab) {
        fabric = lab.converged(lab.generate("left", "--planes 2 --spines 2 --pods 2 --ros 1 --racks 1 --dcms 4"));
        fabric.assertAllReachable();
    }

    /** The table and this test have the same names. */
    @Test
    void everyNameInTheDocumentationIsTried() throws IOException {
        final var tried = new TreeSet<>(ELSEWHERE);
        VALUES.forEach(each -> tried.add(each.substring(0, each.lastIndexOf(' ')).replace(":other", "")));
        SAMPLES.forEach(each -> tried.add("Bridge " + each.substring(0, each.indexOf(' '))));
        ROWS.forEach(each -> Stream.of(each.split(" ")).skip(1).forEach(column ->
            tried.add(each.substring(0, each.indexOf(' ')) + " " + column.split("[:=]")[0])));
        BITS.keySet().forEach(bit -> tried.add(ColumnTable.PORT_BITS + " " + bit));
        assertThat(ColumnTable.names("left alone", TABLES)).isEqualTo(tried);
    }

    /** All of them together in a leaf: nothing is lost, nothing reported, and each stays as it was set. */
    @Test
    void whatIsLeftAloneChangesNoPacket() {
        final var command = new ArrayList<String>();
        for (var each : SAMPLES) {
            final var name = each.substring(0, each.indexOf(' '));
            command.addAll(List.of(("-- --id=@" + name + " create " + each.substring(name.length() + 1)
                + " -- set Bridge br-daq " + name + "=@" + name).split(" ")));
        }
        fabric.vsctl(NODE, "add-port", "br-daq", "odd", "--", "set", "interface", "odd", "type=internal");
        command.addAll(List.of("--", "--id=@up", "get", "port", PORT, "--", "--id=@odd", "get", "port", "odd"));
        for (var each : ROWS) {
            command.addAll(List.of("--", "--id=@" + each.substring(0, each.indexOf(' ')), "create"));
            command.addAll(List.of(each.split(" ")));
        }
        command.addAll(List.of("--", "add", "Bridge", "br-daq", "mirrors", "@Mirror"));
        for (var each : VALUES) {
            final var parts = each.split(" ", 3);
            command.addAll(List.of("--", "set", parts[0], record(parts[0]), parts[1] + "=" + parts[2]));
        }
        try (var ping = fabric.ping(10)) {
            final var since = Instant.now();
            fabric.vsctl(NODE, command.toArray(String[]::new));
            await("pings after the limit").atMost(LIMIT.multipliedBy(4))
                .until(() -> Instant.now().isAfter(since.plus(LIMIT.multipliedBy(2))));
            ping.assertLostNothingSince(since.plus(LIMIT));
        }
        final var state = fabric.awaitPhase("converged").state();
        assertThat(state.switchNamed(NODE).has("last-error")).as(state.summary()).isFalse();
        assertThat(fabric.vsctl(NODE, "get", "bridge", "br-daq", "mirrors")).as("the mirror").doesNotContain("[]");
        for (var each : VALUES) {
            final var parts = each.split(" ", 3);
            assertThat(String.join("", fabric.vsctl(NODE, "get", parts[0], record(parts[0]), parts[1]))
                .replace("\"", "")).as(each).isEqualTo(parts[2].replace("\"", ""));
        }
    }

    /** Bits that a bridge may have from before it was ours, as OpenFlow 1.3 cannot set them. */
    @Test
    void bitsOfOpenFlow10ChangeNoPacket() {
        final var node = "p1l1";
        final var port = "to-p1s1";
        fabric.daqlab("isolate", node);
        try {
            fabric.vsctl(node, "set", "bridge", "br-daq", "protocols=OpenFlow10,OpenFlow13");
            BITS.keySet().forEach(bit -> openflow10(node, "mod-port", "br-daq", port, bit));
            assertThat(openflow10(node, "show", "br-daq")).contains(BITS.values());
        } finally {
            fabric.daqlab("rejoin", node);
        }
        await("its protocols are put right").untilAsserted(() -> assertThat(fabric.vsctl(node, "get", "bridge",
            "br-daq", "protocols").toString()).doesNotContain("OpenFlow10"));
        final var state = fabric.awaitPhase("converged").state();
        fabric.assertAllReachable();
        assertThat(state.switchNamed(node).has("last-error")).as(state.summary()).isFalse();
    }

    private static String openflow10(final String node, final String... arguments) {
        return fabric.daqlab(Stream.concat(Stream.of("exec", node, "--", "ovs-ofctl", "-O", "OpenFlow10"),
            Stream.of(arguments)).toArray(String[]::new));
    }

    private static String record(final String table) {
        return switch (table) {
            case "Open_vSwitch" -> ".";
            case "Bridge" -> "br-daq";
            case "Controller" -> reference("bridge", "br-daq", "controller");
            case "Manager" -> reference("Open_vSwitch", ".", "manager_options");
            default -> PORT;
        };
    }

    private static String reference(final String table, final String row, final String column) {
        return fabric.vsctl(NODE, "get", table, row, column).get(0).replaceAll("[\\[\\]]", "");
    }
}
