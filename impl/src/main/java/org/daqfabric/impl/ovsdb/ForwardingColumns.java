package org.daqfabric.impl.ovsdb;

import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.daqfabric.api.state.PortBit;
import org.daqfabric.impl.ovsdb.ForwardingColumn.Form;
import org.daqfabric.impl.ovsdb.ForwardingColumn.Handling;

/**
 * Every column of Open vSwitch's database that daqfabric's packets can meet, and what daqfabric does about it. What is
 * monitored, compared and reported follows from this table, and so does the table in docs/operations.md, which has the
 * bits of OpenFlow ports, too: those are compared by what {@link PortBit} says.
 */
final class ForwardingColumns {
    /** In place of a table's name. */
    static final String PORT_BITS = "OpenFlow port";

    private static final String STATUS = "written by Open vSwitch itself";
    private static final String FOREIGN_KEYS = "keys of other programs, which Open vSwitch does not read";
    private static final String NORMAL = "read by NORMAL rules alone, which our bridges do not have";
    private static final String UNUSED = "without a port that has it as its qos it does nothing; one of ours that has"
        + " is reported, see qos of Port";
    private static final String BOND = "read where a port has several interfaces; ours have one";

    /** In the order of Open vSwitch's documentation, by name of the table. */
    private static final Map<String, List<ForwardingColumn>> TABLE = new Rows().all().stream()
        .collect(Collectors.groupingBy(ForwardingColumn::table, TreeMap::new, Collectors.toUnmodifiableList()));

    /** Those that are compared; rows are many. */
    private static final Map<String, List<ForwardingColumn>> COMPARED = new Rows().all().stream()
        .filter(ForwardingColumn::isCompared)
        .collect(Collectors.groupingBy(ForwardingColumn::table, Collectors.toUnmodifiableList()));

    private ForwardingColumns() {
    }

    static List<ForwardingColumn> all() {
        return new Rows().all();
    }

    static List<ForwardingColumn> of(String table) {
        return TABLE.getOrDefault(table, List.of());
    }

    /** The columns of a table to monitor so that they can be compared. */
    static List<String> compared(String table) {
        return COMPARED.getOrDefault(table, List.of()).stream().map(ForwardingColumn::column).distinct().toList();
    }

    /** The compared columns of a row that do not have their defaults, with their values in words; few or none. */
    static SortedMap<String, String> deviations(String table, JsonObject row) {
        SortedMap<String, String> found = Collections.emptySortedMap();
        for (ForwardingColumn each : COMPARED.getOrDefault(table, List.of())) {
            String value = each.deviation(row);
            if (!value.isEmpty()) {
                found = found.isEmpty() ? new TreeMap<>() : found;
                found.put(each.name(), value);
            }
        }
        return Collections.unmodifiableSortedMap(found);
    }

    /** Those of a row's deviations that are handled in this way. */
    static List<ForwardingColumn> handled(String table, SortedMap<String, String> deviations, Handling handling) {
        return deviations.isEmpty() ? List.of() : of(table).stream()
            .filter(each -> each.handling() == handling && deviations.containsKey(each.name())).toList();
    }

    /** Makes the table. */
    private static final class Rows {
        private final List<ForwardingColumn> rows = new ArrayList<>();
        private String table = "";

        List<ForwardingColumn> all() {
            system();
            bridge();
            port();
            interfaces();
            controller();
            others();
            portBits();
            return List.copyOf(rows);
        }

        private void system() {
            table = "Open_vSwitch";
            configured("bridges", "the bridge itself: one that is deleted is made again");
            reported("other_config:flow-restore-wait", Form.SWITCH, "an ovs-vswitchd that starts takes no packets from"
                + " the datapath and connects to no controller", "ovs-vsctl remove Open_vSwitch . other_config"
                + " flow-restore-wait");
            configured("other_config:dpdk-init", "starts DPDK; set only where a switch has ports of DPDK");
            configured("other_config:dpdk-socket-mem", "DPDK's memory; set where a switch's dpdk says so");
            configured("other_config:dpdk-lcore-mask", "DPDK's own threads; set where a switch's dpdk says so");
            configured("other_config:dpdk-extra", "DPDK's options; set where a switch's dpdk says so");
            configured("other_config:pmd-cpu-mask", "processors for PMD threads; set where a switch's dpdk says so");
            left("other_config:flow-limit other_config:max-idle other_config:max-revalidator"
                + " other_config:min-revalidate-pps other_config:emc-insert-inv-prob other_config:smc-enable",
                "how many flows are cached: others pass, more slowly");
            reported("other_config:userspace-tso-enable", Form.SWITCH, "where ovs-vswitchd was not started with it,"
                + " ovs-vswitchd overwrites the first bytes of every packet that a userspace bridge sends, until it"
                + " restarts, also when the setting is taken out", "ovs-vsctl remove Open_vSwitch . other_config"
                + " userspace-tso-enable && systemctl restart openvswitch-switch");
            reported("other_config:tx-flush-interval", Form.SWITCH, "packets that a userspace bridge sends wait for"
                + " others up to that many microseconds", "ovs-vsctl remove Open_vSwitch . other_config"
                + " tx-flush-interval");
            left("other_config:hw-offload other_config:hw-offload-priority other_config:offload-rebalance"
                + " other_config:offloaded-stats-delay other_config:tc-policy", "where packets are processed: the"
                + " node's");
            left("other_config:vlan-limit", "how many VLAN tags rules can see; ours see none");
            left("other_config:n-handler-threads other_config:n-revalidator-threads other_config:n-offload-threads"
                + " other_config:pmd-rxq-assign other_config:pmd-rxq-isolate other_config:pmd-auto-lb"
                + " other_config:pmd-auto-lb-load-threshold other_config:pmd-auto-lb-rebal-interval"
                + " other_config:pmd-auto-lb-improvement-threshold other_config:pmd-maxsleep"
                + " other_config:pmd-sleep-max other_config:dpdk-probe-at-init"
                + " other_config:pmd-perf-metrics other_config:per-port-memory"
                + " other_config:shared-mempool-config other_config:dpdk-alloc-mem"
                + " other_config:dpdk-socket-limit other_config:dpdk-hugepage-dir other_config:vhost-sock-dir"
                + " other_config:vhost-iommu-support other_config:vhost-postcopy-support", "speed and memory: the"
                + " node's; packets that it loses are in the counters of ports");
            left("other_config:stats-update-interval other_config:enable-statistics"
                + " other_config:explicit-sampled-drops", "how often counters are written into the database, and what"
                + " drops are counted; packets do not depend on it");
            left("other_config:private_key other_config:certificate other_config:ca_cert"
                + " other_config:ipsec_skb_mark other_config:bundle-idle-timeout other_config:ovsdb-timeout",
                "tunnels, bundles and tools that daqfabric does not use");
            left("external_ids", FOREIGN_KEYS + "; system-id names the node, and ours remember what we set");
            left("manager_options", "the node's managers: the site's. Of one whose managers are removed the last"
                + " report is kept, and says so");
            left("ssl", "the node's certificates: the site's");
            left("datapaths datapath_types iface_types db_version ovs_version system_type system_version"
                + " dpdk_initialized dpdk_version statistics cur_cfg next_cfg", STATUS);
        }

        private void bridge() {
            table = "Bridge";
            configured("name datapath_type", "another datapath has none of our ports");
            configured("ports", "the ports of the fabric: one that is deleted is made again");
            configured("controller", "who may write rules: managers over which a controller of ours has the node, or"
                + " the configured ones. Another one that is connected, and any other listener (ptcp, pssl, punix),"
                + " is reported");
            configured("fail_mode", "without secure, a bridge that has lost its controllers switches like a common"
                + " one, by a NORMAL rule");
            configured("protocols", "without OpenFlow13 no controller of ours can connect");
            configured("other_config:datapath-id other_config:hwaddr other_config:dp-sn", "who the switch is");
            configured("other_config:disable-in-band", "without it hidden rules pass before ours");
            configured("external_ids:daqfabric", "that the bridge is ours");
            configured("mirrors", "copies packets. A mirror to a port of ours, or to a VLAN, sends copies where"
                + " measured and probed traffic goes: it is taken out. One to another port is left alone");
            putRight("stp_enable", Form.FLAG, "spanning tree blocks ports");
            putRight("rstp_enable", Form.FLAG, "rapid spanning tree blocks ports");
            putRight("mcast_snooping_enable", Form.FLAG, "a NORMAL rule sends multicast only where it was asked for");
            putRight("flow_tables", Form.MAP, "limits of tables: rules beyond them are refused or evicted");
            putRight("auto_attach", Form.EMPTY, "LLDP of neighbours changes the VLANs of ports");
            left("flood_vlans other_config:forward-bpdu other_config:mac-aging-time other_config:mac-table-size"
                + " other_config:mcast-snooping-aging-time other_config:mcast-snooping-table-size"
                + " other_config:mcast-snooping-disable-flood-unregistered", NORMAL);
            left("other_config:stp-system-id other_config:stp-priority other_config:stp-hello-time"
                + " other_config:stp-max-age other_config:stp-forward-delay other_config:rstp-address"
                + " other_config:rstp-priority other_config:rstp-ageing-time other_config:rstp-force-protocol-version"
                + " other_config:rstp-max-age other_config:rstp-forward-delay other_config:rstp-transmit-hold-count",
                "read while spanning tree is on, which it is not");
            left("other_config:in-band-queue other_config:dp-desc other_config:controller-queue-size", "in-band"
                + " control, which is off, a description, and room for packets to controllers");
            left("netflow sflow ipfix", "samples are sent to a collector; the packets pass");
            left("external_ids", FOREIGN_KEYS);
            left("datapath_id datapath_version status rstp_status", STATUS);
        }

        private void port() {
            table = "Port";
            configured("name interfaces", "which device the port is");
            configured("external_ids:daqfabric external_ids:daqfabric-mtu", "that the port, and its MTU, are ours");
            putRight("tag trunks cvlans vlan_mode", Form.EMPTY, "a NORMAL rule drops or tags packets");
            putRight("protected", Form.FLAG, "NORMAL rules do not forward between protected ports");
            putRight("fake_bridge", Form.FLAG, "the port counts as a bridge of its own");
            putRight("lacp", Form.EMPTY, "a port whose other end does not answer LACP is taken for dead");
            reported("qos", Form.EMPTY, "packets beyond its rate wait, and are dropped where the counters of ports do"
                + " not show it", "ovs-vsctl clear port PORT qos");
            left("bond_mode bond_updelay bond_downdelay bond_fake_iface mac other_config:bond-hash-basis"
                + " other_config:lb-output-action other_config:bond-primary other_config:all-members-active"
                + " other_config:all-slaves-active other_config:bond-detect-mode"
                + " other_config:bond-miimon-interval other_config:bond-rebalance-interval", BOND);
            left("other_config:lacp-system-id other_config:lacp-system-priority other_config:lacp-time"
                + " other_config:lacp-fallback-ab", "read while the port has LACP, which it has not");
            left("other_config:stp-enable other_config:stp-port-num other_config:stp-port-priority"
                + " other_config:stp-path-cost other_config:rstp-enable other_config:rstp-port-priority"
                + " other_config:rstp-port-num other_config:rstp-path-cost other_config:rstp-port-admin-edge"
                + " other_config:rstp-port-auto-edge other_config:rstp-port-mcheck",
                "read while spanning tree is on, which it is not");
            left("other_config:priority-tags other_config:qinq-ethtype other_config:mcast-snooping-flood"
                + " other_config:mcast-snooping-flood-reports", NORMAL);
            left("other_config:transient", "ovs-ctl takes such a port out as Open vSwitch starts; it is made again");
            left("external_ids", FOREIGN_KEYS);
            left("bond_active_slave rstp_statistics rstp_status statistics status", STATUS);
        }

        private void interfaces() {
            table = "Interface";
            configured("name type options", "which device the port is, and how it is driven");
            configured("ofport_request", "the number by which rules name the port");
            configured("mtu_request", "larger packets are dropped; set where the fabric has an mtu");
            configured("bfd", "whether the other end is alive, by which groups choose");
            putRight("cfm_mpid", Form.EMPTY, "a port whose other end sends no CFM is taken for dead");
            putRight("lldp:enable", Form.SWITCH, "the frames of cabling checks are taken by the switch");
            reported("ingress_policing_rate", Form.NUMBER, "packets beyond that many kbit/s are dropped", "ovs-vsctl"
                + " set interface PORT ingress_policing_rate=0");
            reported("ingress_policing_kpkts_rate", Form.NUMBER, "packets beyond that many thousand a second are"
                + " dropped", "ovs-vsctl set interface PORT ingress_policing_kpkts_rate=0");
            left("ingress_policing_burst ingress_policing_kpkts_burst", "read with a rate, which is reported");
            left("mac", "the device's address, which rules do not read; the bridge's own is other_config:hwaddr");
            left("other_config:cfm_interval other_config:cfm_extended other_config:cfm_demand"
                + " other_config:cfm_opstate other_config:cfm_ccm_vlan other_config:cfm_ccm_pcp",
                "read while the port has CFM, which it has not");
            left("other_config:lacp-port-id other_config:lacp-port-priority other_config:lacp-aggregation-key",
                "read while the port has LACP, which it has not");
            left("other_config:pmd-rxq-affinity other_config:tx-steering other_config:emc-enable"
                + " other_config:hw-offload-priority", "speed: the node's");
            left("external_ids", FOREIGN_KEYS);
            left("admin_state bfd_status cfm_fault cfm_fault_status cfm_flap_count cfm_health cfm_remote_mpids"
                + " cfm_remote_opstate duplex error ifindex lacp_current link_resets link_speed link_state"
                + " mac_in_use mtu ofport statistics status", STATUS);
        }

        private void controller() {
            table = "Controller";
            configured("target", "who may write rules");
            configured("connection_mode", "in-band adds hidden rules that pass before ours");
            configured("max_backoff inactivity_probe", "how soon a lost connection is noticed and made again");
            configured("controller_rate_limit", "how many packets a second reach the controller");
            configured("external_ids:daqfabric", "that the controller is ours");
            putRight("controller_burst_limit controller_queue_size", Form.EMPTY, "packets to the controller are"
                + " dropped");
            putRight("enable_async_messages", Form.EMPTY, "the switch reports no failure of a port");
            putRight("local_ip local_netmask local_gateway", Form.EMPTY, "changes the addresses of the bridge's own"
                + " port");
            putRight("type", Form.EMPTY, "a service does not count as the bridge's controller");
            left("other_config:dscp", "the mark of the connection's own packets");
            left("external_ids", FOREIGN_KEYS);
            left("is_connected role status", STATUS);
        }

        private void others() {
            table = "Manager";
            left("target connection_mode inactivity_probe max_backoff other_config:dscp", "how the node reaches its"
                + " managers: the site's");
            left("external_ids", FOREIGN_KEYS + "; ours says that a controller of ours is there");
            left("is_connected status", STATUS);
            table = "Mirror";
            left("name select_all select_dst_port select_src_port select_vlan snaplen output_port filter", "of a mirror"
                + " to a port that is not ours, which sends copies; see mirrors of Bridge for others");
            configured("output_vlan", "see mirrors of Bridge");
            left("external_ids", FOREIGN_KEYS);
            left("statistics", STATUS);
            table = "QoS";
            left("type queues other_config", UNUSED);
            left("external_ids", FOREIGN_KEYS);
            table = "Queue";
            left("dscp other_config", UNUSED);
            left("external_ids", FOREIGN_KEYS);
        }

        private void portBits() {
            table = PORT_BITS;
            for (PortBit bit : PortBit.values()) {
                if (bit.isCleared()) {
                    configured(bit.label(), bit.effect());
                } else {
                    reported(bit.label(), Form.CONFIGURED, bit.effect(), "ip link set PORT up");
                }
            }
            left("no-flood no-stp no-receive-stp", "of OpenFlow 1.0, which our bridges do not speak. Set before a"
                + " bridge was ours they concern the actions FLOOD and NORMAL, which our rules do not have, and frames"
                + " of spanning tree");
        }

        private void configured(String names, String effect) {
            add(names, Handling.PUT_RIGHT, Form.CONFIGURED, effect, "");
        }

        private void putRight(String names, Form form, String effect) {
            add(names, Handling.PUT_RIGHT, form, effect, "");
        }

        private void reported(String name, Form form, String effect, String remedy) {
            add(name, Handling.REPORTED, form, effect, remedy);
        }

        private void left(String names, String reason) {
            add(names, Handling.LEFT, Form.CONFIGURED, reason, "");
        }

        private void add(String names, Handling handling, Form form, String effect, String remedy) {
            for (String name : names.split(" ")) {
                int at = name.indexOf(':');
                rows.add(new ForwardingColumn(table, at < 0 ? name : name.substring(0, at),
                    at < 0 ? "" : name.substring(at + 1), handling, form, effect, remedy));
            }
        }
    }
}
