package org.daqfabric.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What other tools set in a node's database is put right under traffic, or reported: every line of the table in
 * docs/operations.md that says so, on real Open vSwitch.
 */
@ExtendWith(SharedController.class)
class ForwardingColumnsIT {
    private static final String PORT = "to-p1s1";
    /** Loss must have ended by then; the limit of the issue, and time for a busy machine to see it. */
    private static final Duration LIMIT = Duration.ofSeconds(6);

    /** Harmful values by table and name, which daqfabric sets back. */
    private static final Map<String, Map<String, String>> HARMFUL = Map.of(
        "Bridge", Map.ofEntries(Map.entry("fail_mode", "standalone"), Map.entry("protocols", "OpenFlow10"),
            Map.entry("other_config:datapath-id", "00000000000000aa"), Map.entry("other_config:hwaddr",
                "\"02:00:00:00:00:aa\""), Map.entry("other_config:dp-sn", "odd"),
            Map.entry("other_config:disable-in-band", "false"), Map.entry("external_ids:daqfabric", "other"),
            Map.entry("stp_enable", "true"), Map.entry("rstp_enable", "true"),
            Map.entry("mcast_snooping_enable", "true"), Map.entry("flow_tables", "0=@table"),
            Map.entry("auto_attach", "@attach"), Map.entry("mirrors", "@mirror"), Map.entry("controller", "[]")),
        "Port", Map.ofEntries(Map.entry("tag", "5"), Map.entry("trunks", "7"), Map.entry("cvlans", "8"),
            Map.entry("vlan_mode", "access"), Map.entry("protected", "true"), Map.entry("fake_bridge", "true"),
            Map.entry("lacp", "active"), Map.entry("external_ids:daqfabric", "other")),
        "Interface", Map.ofEntries(Map.entry("ofport_request", "77"), Map.entry("bfd", "enable=true"),
            Map.entry("cfm_mpid", "5"), Map.entry("lldp:enable", "true"), Map.entry("options", "odd=1")),
        "Controller", Map.ofEntries(Map.entry("connection_mode", "in-band"), Map.entry("max_backoff", "60000"),
            Map.entry("inactivity_probe", "60000"), Map.entry("controller_rate_limit", "200"),
            Map.entry("controller_burst_limit", "50"), Map.entry("controller_queue_size", "1"),
            Map.entry("enable_async_messages", "false"), Map.entry("local_ip", "\"10.9.9.9\""),
            Map.entry("local_netmask", "\"255.255.255.0\""), Map.entry("local_gateway", "\"10.9.9.1\""),
            Map.entry("type", "service"), Map.entry("external_ids:daqfabric", "other")));
    /** What other tests change, such as ports; and names, which cannot be changed. */
    private static final Set<String> ELSEWHERE = Set.of("Bridge name", "Bridge datapath_type", "Bridge ports",
        "Port name", "Port interfaces", "Port external_ids:daqfabric-mtu", "Interface name", "Interface type",
        "Interface mtu_request", "Controller target");

    /**
     * What may be the site's, by table and name.
     *
     * @param command sets it
     * @param remedy ends it, as is said
     * @param text what is said of it
     */
    private record Site(String name, String command, String remedy, String text) {
    }

    private static final List<Site> SITE = List.of(
        new Site("Interface ingress_policing_rate", "set interface " + PORT + " ingress_policing_rate=1000",
            "set interface " + PORT + " ingress_policing_rate=0", "ingress_policing_rate 1000"),
        new Site("Interface ingress_policing_kpkts_rate", "set interface " + PORT + " ingress_policing_kpkts_rate=1000",
            "set interface " + PORT + " ingress_policing_kpkts_rate=0", "ingress_policing_kpkts_rate 1000"),
        new Site("Port qos", "-- --id=@q create qos type=linux-noop -- set port " + PORT + " qos=@q",
            "clear port " + PORT + " qos", "has qos"),
        new Site("Open_vSwitch other_config:flow-restore-wait",
            "set Open_vSwitch . other_config:flow-restore-wait=true",
            "remove Open_vSwitch . other_config flow-restore-wait", "flow-restore-wait"),
        new Site("Open_vSwitch other_config:tx-flush-interval",
            "set Open_vSwitch . other_config:tx-flush-interval=50",
            "remove Open_vSwitch . other_config tx-flush-interval", "tx-flush-interval 50"));
    /** By ForwardingColumnsTest, as only a restart of ovs-vswitchd ends its harm, and by OpenFlowFaultsIT. */
    private static final Set<String> REPORTED_ELSEWHERE = Set.of("Open_vSwitch other_config:userspace-tso-enable",
        "OpenFlow port down");

    private static LabFabric fabric;

    @BeforeAll
    static void bringUp(final Lab lab) {
        fabric = lab.converged(lab.generate("columns", "--planes 2 --spines 2 --pods 2 --ros 1 --racks 1 --dcms 4"));
        fabric.assertAllReachable();
    }

    /** The table and this test have the same names. */
    @Test
    void everyNameInTheDocumentationIsTried() throws IOException {
        final var named = ColumnTable.names("put right", HARMFUL.keySet());
        final var tried = new TreeSet<>(ELSEWHERE);
        HARMFUL.forEach((table, values) -> values.keySet().forEach(name -> tried.add(table + " " + name)));
        assertThat(named).isEqualTo(tried);
    }

    /** Columns of ports and bridge together in a leaf, and in a spine: loss ends, and all is as it was. */
    @Test
    void whatIsOursIsPutRightUnderPings() {
        final var bridge = new LinkedHashMap<>(HARMFUL.get("Bridge"));
        final var references = Map.of("flow_tables", "@table", "auto_attach", "@attach", "mirrors", "@mirror");
        final var whoItIs = new TreeSet<>(Set.of("controller", "fail_mode", "protocols", "external_ids:daqfabric"));
        bridge.keySet().stream().filter(name -> name.startsWith("other_config")).forEach(whoItIs::add);
        final var flags = new LinkedHashMap<>(bridge);
        flags.keySet().removeAll(whoItIs);
        flags.keySet().removeAll(references.keySet());
        spoil("p1l1", Map.of("Bridge", flags, "Port", HARMFUL.get("Port"), "Interface", HARMFUL.get("Interface")));
        bridge.keySet().retainAll(whoItIs);
        spoil("p1s1", Map.of("Bridge", bridge));
        spoil("p1s2", Map.of("Controller", HARMFUL.get("Controller")));
        for (var each : List.of("--id=@table create flow_table flow_limit=1 overflow_policy=refuse",
                "--id=@attach create autoattach system_name=odd system_description=odd mappings=1=1",
                "--id=@out get port to-p1s2 -- --id=@mirror create mirror name=odd select_all=true output_port=@out")) {
            final var name = references.entrySet().stream().filter(entry -> each.contains(entry.getValue() + " create"))
                .findFirst().orElseThrow().getKey();
            spoil("p1l2", Map.of("Bridge", Map.of(name, HARMFUL.get("Bridge").get(name))),
                (each + " --").split(" "));
        }
    }

    /** Sets harmful values; asserts that what was there comes back, and that pings are not lost for long. */
    private static void spoil(final String node, final Map<String, Map<String, String>> values,
            final String... before) {
        final var command = new ArrayList<String>(List.of("--"));
        command.addAll(Arrays.asList(before));
        final var wanted = new LinkedHashMap<List<String>, String>();
        values.forEach((table, columns) -> columns.forEach((name, value) -> {
            command.addAll(List.of("--", "set", table, record(node, table), name + "=" + value));
            if (!name.equals("controller")) { // a new row
                wanted.put(List.of(table, name), get(node, table, name));
            }
        }));
        if (before.length > 0) {
            command.remove(command.lastIndexOf("--"));
        }
        final var since = Instant.now();
        fabric.vsctl(node, command.toArray(String[]::new));
        wanted.forEach((name, value) -> await(node + " " + name).atMost(Duration.ofSeconds(60)).untilAsserted(() ->
            assertThat(get(node, name.get(0), name.get(1))).isEqualTo(value)));
        fabric.awaitNoLoss(since, LIMIT);
        fabric.awaitPhase("converged");
    }

    /**
     * The number that Open vSwitch 3.1 leaves in the Interface where another tool asked for it and ours was put back at
     * once, though the port has ours.
     */
    @Test
    void aPortIsOpenedAnewWhoseNumberIsShownWrong() {
        final var before = fabric.vsctl("p2s1", "get", "interface", "to-p2l1", "_uuid").get(0);
        fabric.vsctl("p2s1", "set", "interface", "to-p2l1", "ofport=77");
        // in between it is no path, which may be over sooner than the state is asked for
        await("another port with its number").untilAsserted(() -> {
            final var now = fabric.vsctl("p2s1", "--if-exists", "get", "interface", "to-p2l1", "_uuid", "ofport",
                "ofport_request");
            assertThat(now).hasSize(3);
            assertThat(now.get(0)).matches("[0-9a-f-]{36}").isNotEqualTo(before);
            assertThat(now.get(1)).matches("\\d+").isEqualTo(now.get(2));
        });
        fabric.awaitPhase("converged").assertAllReachable();
    }

    private static String record(final String node, final String table) {
        return switch (table) {
            case "Bridge" -> "br-daq";
            case "Controller" -> fabric.vsctl(node, "get", "bridge", "br-daq", "controller").get(0)
                .replaceAll("[\\[\\]]", "");
            default -> PORT;
        };
    }

    private static String get(final String node, final String table, final String name) {
        return String.join("", fabric.vsctl(node, "--if-exists", "get", table, record(node, table), name));
    }

    /** The table and this test have the same names of what is reported. */
    @Test
    void everyNameThatIsReportedIsTried() throws IOException {
        final var tried = new TreeSet<>(REPORTED_ELSEWHERE);
        SITE.forEach(each -> tried.add(each.name));
        assertThat(ColumnTable.names("reported", Set.of("Open_vSwitch", "Bridge", "Port", "Interface", "Controller",
            "Manager", "Mirror", "QoS", "Queue", ColumnTable.PORT_BITS))).isEqualTo(tried);
    }

    /** What may be the site's is named with the command that ends it, and that command ends it. */
    @Test
    void whatMayBeTheSitesIsReported() {
        for (var each : SITE) {
            fabric.vsctl("p1l2", each.command.split(" "));
            fabric.awaitState(each.text, state -> state.switchNamed("p1l2").has("last-error")
                && state.switchNamed("p1l2").get("last-error").getAsString().contains(each.text)
                && state.switchNamed("p1l2").get("last-error").getAsString().contains("ovs-vsctl " + each.remedy));
            fabric.vsctl("p1l2", each.remedy.split(" "));
            fabric.awaitPhase("converged");
        }
    }

    /** What a network reload clears is restored, and nothing is lost for good. */
    @Test
    void aBridgeStaysOursWhenANetworkReloadClearsIt() {
        final var since = Instant.now();
        final var command = new ArrayList<String>();
        List.of("auto_attach", "controller", "external-ids", "fail_mode", "other_config", "protocols")
            .forEach(column -> command.addAll(List.of("--", "clear", "bridge", "br-daq", column)));
        fabric.vsctl("h1-1", command.toArray(String[]::new));
        await("the mark").untilAsserted(() -> assertThat(fabric.vsctl("h1-1", "get", "bridge", "br-daq",
            "external_ids:daqfabric", "fail_mode").stream().map(text -> text.replace("\"", "")).toList())
            .containsExactly(fabric.name(), "secure"));
        fabric.awaitNoLoss(since, LIMIT);
        fabric.awaitPhase("converged");
    }

    /**
     * A switch that was reset switches by itself: it is no path, unless its session lasted until the controller had
     * restored the bridge. What it needs is named.
     */
    @Test
    void aSwitchThatWasResetIsNoPath() {
        final var manager = fabric.vsctl("p2l2", "get-manager").get(0);
        final var since = Instant.now();
        fabric.vsctl("p2l2", "emer-reset");
        fabric.awaitState("it is no path, or restored", state -> (state.links("down").stream()
            .anyMatch(link -> link.startsWith("p2l2:"))
            || fabric.vsctl("p2l2", "get", "bridge", "br-daq", "fail_mode").contains("secure"))
            && state.switchNamed("p2l2").has("last-error")
            && state.switchNamed("p2l2").get("last-error").getAsString().contains("set-manager " + manager));
        fabric.awaitNoLoss(since, LIMIT);
        fabric.vsctl("p2l2", "set-manager", manager);
        fabric.awaitPhase("converged").assertAllReachable();
    }

    /** The host of a second manager is no controller; a controller that is not ours and is connected is reported. */
    @Test
    void anotherProgramIsNoControllerOfOurBridge() {
        final var controllers = fabric.controllers("p2s1");
        final var manager = fabric.vsctl("p2s1", "get-manager").get(0);
        fabric.vsctl("p2s1", "set-manager", manager, "tcp:192.0.2.9:6640");
        await("its manager is marked").untilAsserted(() -> assertThat(String.join(" ", fabric.vsctl("p2s1",
            "--columns=external_ids", "find", "manager", "target=\"" + manager + "\""))).contains("daqfabric"));
        assertThat(fabric.controllers("p2s1")).isEqualTo(controllers);
        fabric.vsctl("p2s1", "set-manager", manager);
        fabric.awaitPhase("converged");
    }
}
