package org.daqfabric.impl.metrics;

import java.util.List;

/** Every metric, in the order of {@code docs/metrics.md}, which describes them. */
enum Family {
    ACTIVE(Type.GAUGE, "daqfabric_active", "1 where the fabrics are run, 0 at a member of a cluster that stands by"),
    SHARD_REPAIRS(Type.COUNTER, "daqfabric_shard_repairs",
        "Times a shard of this member's datastore was freed of writes it could not finish", "shard"),
    PEERS_REFUSED(Type.COUNTER, "daqfabric_peers_refused", "Connections of peers that exceeded a limit", "protocol",
        "limit"),
    LOGINS_REFUSED(Type.COUNTER, "daqfabric_logins_refused",
        "Logins at the web servers with a wrong password, and those that were not looked at as too many were wrong",
        "reason"),
    DISK_FREE(Type.GAUGE, "daqfabric_disk_free_bytes",
        "What this controller can still write into one of its folders; left out while it is unknown", "folder"),

    ALARM(Type.GAUGE, "daqfabric_alarm", "1 for each alarm that is raised and not shelved", "fabric", "type",
        "severity", "resource"),

    PHASE(Type.GAUGE, "daqfabric_phase", "1 for the phase the fabric is in, 0 for the others", "fabric", "phase"),
    GENERATION(Type.GAUGE, "daqfabric_generation", "Sets of programs made since the controller started", "fabric"),

    SWITCHES_EXPECTED(Type.GAUGE, "daqfabric_switches_expected", "Switches of the configuration", "fabric", "role"),
    SWITCHES_UP(Type.GAUGE, "daqfabric_switches_up", "Switches connected over OVSDB and OpenFlow", "fabric", "role"),
    SWITCH_CONNECTED(Type.GAUGE, "daqfabric_switch_connected", "1 while the switch is connected, else 0",
        "fabric", "switch", "role", "protocol"),
    SWITCH_ERROR(Type.GAUGE, "daqfabric_switch_error",
    "1 while something keeps the switch from what it must hold, else 0",
        "fabric", "switch"),

    LINKS_EXPECTED(Type.GAUGE, "daqfabric_links_expected", "Links of the configuration that are not drained",
        "fabric", "plane"),
    LINKS_UP(Type.GAUGE, "daqfabric_links_up", "Expected links that are up", "fabric", "plane"),
    LINKS_HELD_BACK(Type.GAUGE, "daqfabric_links_held_back", "Links that are up and not used yet", "fabric", "plane"),
    LINKS_MISCABLED(Type.GAUGE, "daqfabric_links_miscabled", "Links that lead elsewhere than configured",
        "fabric", "plane"),
    LINKS_UNKNOWN(Type.GAUGE, "daqfabric_links_unknown", "Expected links of which no switch has reported an end",
        "fabric", "plane"),
    LINK_UP(Type.GAUGE, "daqfabric_link_up", "1 while the link is up, else 0; drained and unknown links are left out",
        "fabric", "switch", "port", "plane"),

    LINK_PLANNED(Type.GAUGE, "daqfabric_link_planned_bytes_per_second",
        "Events that the port's link is planned to carry away from it when the fabric's fullest link is full",
        LabelNames.PORT),

    LINK_LOSS(Type.GAUGE, "daqfabric_link_loss_ratio",
        "Part of what the port sends that its link loses at present, to the order of magnitude", LabelNames.PORT),
    LINK_LOST(Type.COUNTER, "daqfabric_link_lost_packets",
        "Packets that the port has sent and its link has certainly lost while it was up", LabelNames.PORT),

    PORT_SPEED(Type.GAUGE, "daqfabric_port_speed_bytes_per_second", "Speed that the port has", LabelNames.PORT),
    PORT_FAULT(Type.GAUGE, "daqfabric_port_fault", "1 while the port is less than it must be, else 0", LabelNames.PORT),
    QUEUE_BUSY(Type.GAUGE, "daqfabric_queue_busy_ratio", "Part of its PMD thread's time that the queue takes",
        "fabric", "switch", "port", "plane", "queue"),
    THREAD_BUSY(Type.GAUGE, "daqfabric_pmd_thread_busy_ratio", "Part of its time in which the PMD thread has work",
        "fabric", "switch", "core", "numa"),

    DCMS(Type.GAUGE, "daqfabric_dcms", "DCMs of the configuration", "fabric"),
    DCMS_WITHOUT_PATH(Type.GAUGE, "daqfabric_dcms_without_path", "DCMs that no ROS reaches", "fabric"),
    DCMS_PARTLY_REACHED(Type.GAUGE, "daqfabric_dcms_partly_reached", "DCMs that some ROS reach and others do not",
    "fabric"),
    DCM_MOVES(Type.COUNTER, "daqfabric_dcm_moves", "Changes of a DCM's plane or spine", "fabric"),
    SPINE_DCMS(Type.GAUGE, "daqfabric_spine_dcms", "DCMs whose primary plane and spine it is", "fabric", "plane",
    "spine"),
    SPINE_LOAD(Type.GAUGE, "daqfabric_spine_load_ratio",
        "Load of the spine's fullest link relative to that of the fabric's bottleneck", "fabric", "plane", "spine"),

    BANDWIDTH_NOMINAL(Type.GAUGE, "daqfabric_bandwidth_nominal_bytes_per_second",
        "Event bandwidth with every link up and everything placed afresh", "fabric"),
    BANDWIDTH_ACHIEVABLE(Type.GAUGE, "daqfabric_bandwidth_achievable_bytes_per_second",
        "Event bandwidth with what is up and as it is placed", "fabric"),
    PARTITION_REQUIRED(Type.GAUGE, "daqfabric_partition_required_bytes_per_second",
        "Event bandwidth the run controller requires", "fabric", "partition"),
    PARTITION_ACHIEVABLE(Type.GAUGE, "daqfabric_partition_achievable_bytes_per_second",
        "Event bandwidth the partition's enabled ROS and DCMs can have", "fabric", "partition"),
    RUN_STATE(Type.GAUGE, "daqfabric_run_state", "1 for the state the partition is in, 0 for the others",
        "fabric", "partition", "state"),
    RUN_HEALTH(Type.GAUGE, "daqfabric_run_health", "1 for how well the partition is served, 0 for the others",
        "fabric", "partition", "health"),

    REPAIRS(Type.COUNTER, "daqfabric_repairs", "Failures whose repair was begun", "fabric"),
    REPAIR_RUNNING(Type.GAUGE, "daqfabric_repair_running", "1 while a repair is not confirmed, else 0", "fabric"),
    REPAIR_SECONDS(Type.HISTOGRAM, "daqfabric_repair_seconds", "Time a repair took, by phase", "fabric", "phase"),
    REPAIR_MOVED_DCMS(Type.COUNTER, "daqfabric_repair_moved_dcms", "DCMs that confirmed repairs moved", "fabric"),
    REPAIR_MESSAGES(Type.COUNTER, "daqfabric_repair_messages", "Messages to switches that confirmed repairs needed",
    "fabric"),
    REBALANCED(Type.COUNTER, "daqfabric_rebalanced", "Confirmed second steps of repairs, which move DCMs for balance",
        "fabric"),
    REBALANCED_MOVED_DCMS(Type.COUNTER, "daqfabric_rebalanced_moved_dcms",
        "DCMs that confirmed second steps of repairs moved", "fabric"),

    RULES_DESIRED(Type.GAUGE, "daqfabric_rules_desired", "Rules the switch must hold", "fabric", "switch"),
    RULES_REALISED(Type.GAUGE, "daqfabric_rules_realised", "Rules of ours the switch holds", "fabric", "switch"),
    GROUPS_DESIRED(Type.GAUGE, "daqfabric_groups_desired", "Groups the switch must hold", "fabric", "switch"),
    GROUPS_REALISED(Type.GAUGE, "daqfabric_groups_realised", "Groups of ours the switch holds", "fabric", "switch"),
    DAQRINGS_DESIRED(Type.GAUGE, "daqfabric_daqrings_desired", "Daqrings the switch must hold", "fabric", "switch"),
    DAQRINGS_REALISED(Type.GAUGE, "daqfabric_daqrings_realised", "Daqrings the switch holds", "fabric", "switch"),
    MESSAGES_SENT(Type.COUNTER, "daqfabric_messages_sent", "Changes of rules and groups sent to the switch",
        "fabric", "switch"),
    MESSAGES_FAILED(Type.COUNTER, "daqfabric_messages_failed",
        "Changes of rules and groups that the switch refused or did not answer", "fabric", "switch"),

    COMPARISONS(Type.COUNTER, "daqfabric_comparisons", "Switches compared with what they must hold", "fabric",
        "source"),
    COMPARISONS_WITH_FINDINGS(Type.COUNTER, "daqfabric_comparisons_with_findings",
        "Compared switches that differed or could not be read", "fabric", "source"),
    FINDINGS(Type.COUNTER, "daqfabric_findings", "Differences found", "fabric", "source", "kind", "what"),
    EVENT_WAIT_SECONDS(Type.HISTOGRAM, "daqfabric_event_wait_seconds", "Time an event waited for its turn", "fabric"),
    LOOP_STANDING(Type.GAUGE, "daqfabric_loop_standing_seconds",
        "Time since the fabric's event loop last ended an event, while others wait", "fabric"),
    EVENT_FAILURES(Type.COUNTER, "daqfabric_event_failures", "Events that failed by an internal error", "fabric"),
    LOOP_REBUILDS(Type.COUNTER, "daqfabric_loop_rebuilds", "Times the event loop was replaced after such an error",
        "fabric"),
    DECISION_UNSTORED(Type.GAUGE, "daqfabric_decision_unstored_seconds",
        "Time for which the placement in force has not been stored, else 0", "fabric"),

    STATISTICS_READ(Type.GAUGE, "daqfabric_statistics_read_timestamp_seconds",
        "When the switch last told its statistics, since the epoch", "fabric", "switch"),
    PORT_RECEIVED_BYTES(Type.COUNTER, "daqfabric_port_received_bytes", "Bytes received", LabelNames.PORT),
    PORT_TRANSMITTED_BYTES(Type.COUNTER, "daqfabric_port_transmitted_bytes", "Bytes transmitted", LabelNames.PORT),
    PORT_RECEIVED_PACKETS(Type.COUNTER, "daqfabric_port_received_packets", "Packets received", LabelNames.PORT),
    PORT_TRANSMITTED_PACKETS(Type.COUNTER, "daqfabric_port_transmitted_packets", "Packets transmitted",
    LabelNames.PORT),
    PORT_RECEIVED_DROPPED(Type.COUNTER, "daqfabric_port_received_dropped", "Packets dropped on receipt",
    LabelNames.PORT),
    PORT_TRANSMITTED_DROPPED(Type.COUNTER, "daqfabric_port_transmitted_dropped",
    "Packets dropped instead of transmitted",
        LabelNames.PORT),
    PORT_RECEIVED_ERRORS(Type.COUNTER, "daqfabric_port_received_errors", "Errors on receipt", LabelNames.PORT),
    PORT_TRANSMITTED_ERRORS(Type.COUNTER, "daqfabric_port_transmitted_errors", "Errors on transmission",
    LabelNames.PORT),

    PORT_SOCKET_DROPPED(Type.COUNTER, "daqfabric_port_socket_dropped_packets",
        "Packets that the port's packet socket on the switch's host had no room for", LabelNames.PORT),
    SWITCH_SOCKETS_DROPPED(Type.COUNTER, "daqfabric_switch_socket_dropped_packets",
        "Packets that packet sockets of the switch's ports had no room for", "fabric", "switch"),
    SWITCH_BACKLOGS_DROPPED(Type.COUNTER, "daqfabric_switch_backlog_dropped_packets",
        "Packets that backlogs of the processors of the switch's host had no room for", "fabric", "switch"),

    SWITCH_DAQRING_ENQUEUED(Type.COUNTER, "daqfabric_switch_daqring_enqueued_packets",
        "Packets that entered the switch's daqrings", "fabric", "switch"),
    SWITCH_DAQRING_DROPPED(Type.COUNTER, "daqfabric_switch_daqring_dropped_packets",
        "Packets that found a daqring of the switch full", "fabric", "switch"),
    SWITCH_DAQRING_DROP_EPISODES(Type.COUNTER, "daqfabric_switch_daqring_drop_episodes",
        "Episodes in which a daqring of the switch dropped packets", "fabric", "switch"),
    SWITCH_DAQRING_OCCUPANCY(Type.GAUGE, "daqfabric_switch_daqring_occupancy_packets",
        "Packets in the switch's fullest daqring", "fabric", "switch"),
    RUN_DROP_EPISODES(Type.GAUGE, "daqfabric_run_daqring_drop_episodes",
        "Episodes in which a daqring dropped packets in the run, of the newest that are kept", LabelNames.RUN),
    RUN_DROPPED(Type.GAUGE, "daqfabric_run_daqring_dropped_packets", "Packets that were dropped in these episodes",
    LabelNames.RUN),
    RUN_DROP_TIME(Type.GAUGE, "daqfabric_run_daqring_drop_timestamp_seconds",
        "When the newest of these episodes began", LabelNames.RUN),
    DAQRINGS_DELETED_PACKETS(Type.COUNTER, "daqfabric_daqrings_deleted_packets",
        "Packets in daqrings that were deleted before they were empty", "fabric"),
    DAQRING_ENQUEUED(Type.COUNTER, "daqfabric_daqring_enqueued_packets", "Packets that entered the daqring",
    LabelNames.DAQRING),
    DAQRING_DROPPED(Type.COUNTER, "daqfabric_daqring_dropped_packets", "Packets that found the daqring full",
    LabelNames.DAQRING),
    DAQRING_THROTTLED(Type.COUNTER, "daqfabric_daqring_throttled_polls",
        "Times packets had to wait for the polling interval", LabelNames.DAQRING),
    DAQRING_OCCUPANCY(Type.GAUGE, "daqfabric_daqring_occupancy_packets", "Packets in the daqring", LabelNames.DAQRING),
    DAQRING_HIGHEST_OCCUPANCY(Type.GAUGE, "daqfabric_daqring_highest_occupancy_packets",
        "The most packets the daqring ever held", LabelNames.DAQRING);

    enum Type { GAUGE, COUNTER, HISTOGRAM }

    private static final class LabelNames {
        static final String[] PORT = { "fabric", "switch", "port", "plane" };
        static final String[] DAQRING = { "fabric", "switch", "dcm" };
        static final String[] RUN = { "fabric", "partition", "run" };
    }

    private final Type type;
    private final String stem;
    private final String help;
    private final List<String> labels;

    /**
     * Defines a metric.
     *
     * @param stem its name, for a counter without {@code _total}
     */
    Family(Type type, String stem, String help, String... labels) {
        this.type = type;
        this.stem = stem;
        this.help = help;
        this.labels = List.of(labels);
    }

    Type type() {
        return type;
    }

    String stem() {
        return stem;
    }

    /** The name in the exposition format. */
    String fullName() {
        return type == Type.COUNTER ? stem + "_total" : stem;
    }

    String help() {
        return help;
    }

    List<String> labels() {
        return labels;
    }
}
