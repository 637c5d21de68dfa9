package org.daqfabric.api.alarm;

import static org.daqfabric.api.alarm.AlarmSeverity.CRITICAL;
import static org.daqfabric.api.alarm.AlarmSeverity.MAJOR;
import static org.daqfabric.api.alarm.AlarmSeverity.MINOR;
import static org.daqfabric.api.alarm.AlarmSeverity.WARNING;

/** What can be wrong, with the severity it has as a rule and what to do about it. */
public enum AlarmType {
    LINK_DOWN(MAJOR, "check the cable, the transceivers and 'ip link' on both nodes; daqfabric:doctor says more"),
    LINK_MISCABLED(MAJOR, "put the cable where the description says, or correct the description"),
    LINK_LOSSY(MINOR, "replace the cable or the transceivers; drain the link until then if the others suffice"),
    LINK_HELD_BACK(WARNING, "replace the cable if it failed again and again, or loses packets; daqfabric:rebalance uses"
        + " a link at once that loses none"),
    SWITCH_AWAY(MAJOR, "see that its node and ovsdb-server run and reach the controller, or drain it; it still forwards"
        + " by what it holds, unless it has restarted; daqfabric:doctor says more"),
    SWITCH_WITHOUT_OPENFLOW(MAJOR, "see on the node whether ovs-vswitchd runs, and whether a firewall keeps it from the"
        + " controller; daqfabric:doctor says more"),
    SWITCH_ERROR(MAJOR, "correct what the text names; daqfabric then tries again by itself"),
    SWITCH_SILENT(MINOR, "see on the node whether ovsdb-server hangs or the machine is overloaded"),
    SWITCH_LATE(MAJOR, "see on the node what takes the time of ovs-vswitchd: the removal of hundreds of ports or of"
        + " their bridge at once, other programs on its processors ('top -H'); ovs-vswitchd.log says 'Unreasonably"
        + " long'; move that elsewhere, or do it when no run needs the node"),
    SYSTEM_ID_TAKEN(MINOR, "give each node one of its own: ovs-vsctl set Open_vSwitch . external_ids:system-id=NAME"),
    DATAPATH_ID_TAKEN(MAJOR, "find out which machine that is and take it off the control network; the switch itself is"
        + " as it was"),
    OVS_VERSION(WARNING, "upgrade its Open vSwitch"),
    DAQRINGS_UNSUPPORTED(MINOR, "install Open vSwitch with daqrings (docs/daqring.md) and use datapath-type netdev, or"
        + " set policy/daqring/on to none"),
    DAQRING_DROPS(MINOR, "give daqrings the ring-size that rpc size-daqrings computes, or let more out; see"
        + " docs/operations.md"),
    PORT_FAULT(MINOR, "correct what the text names"),
    DCMS_CUT_OFF(CRITICAL, "daqfabric:placement shows the DCMs; see the alarms of switches and links"),
    PROOFS_SILENT(MAJOR, "see whether the controller's machine is overloaded, and what on all nodes drops packets from"
        + " 192.0.0.8; until they arrive, trust no 'up' and no 'reachable'"),
    REPAIR_UNSTORED(CRITICAL, "see what daqfabric:doctor says of the datastores; it is stored as soon as they work"),
    LOOP_STANDS(CRITICAL, "save the output of jstack and data/log/karaf.log, restart the controller, and report it;"
        + " switches keep forwarding"),
    INTERNAL_ERROR(WARNING, "report what data/log/karaf.log has of it; a restart of the controller clears this"),
    RUN_INSUFFICIENT(CRITICAL, "repair what the text names, or disable those ROS and DCMs"),
    PARTITION_ERROR(CRITICAL, "do what the text says, then rpc release or abort"),
    BRIDGE_NOT_REMOVED(WARNING, "start the node: the bridge is then removed by itself; if it never returns: rpc"
        + " forget-removals"),
    LISTENER_CLOSED(CRITICAL, "end the program that has the port ('ss -ltnp' tells), or change the address or port in"
        + " etc/org.daqfabric.cfg and restart the controller"),
    PEER_REFUSED(WARNING, "if it is one of your nodes correct it; otherwise find out which machine it is"),
    DATASTORE(CRITICAL, "free disk space under data/ and state/ and read data/log/karaf.log; if a journal has ended,"
        + " then restart the controller; in a cluster make sure that most of its members run"),
    DISK_SPACE(WARNING, "free space there: heap dumps, packed logs, files of other programs. Below 256 MiB no"
        + " configuration is taken, until there is more again"),
    MEMBER_LOST(MAJOR, "see that its machine and its controller run, and that the members reach each other (port 2550):"
        + " until it is back the loss of another may leave none that repairs; one that is lost for good is replaced as"
        + " in docs/cluster.md"),
    ACCOUNTS_UNSTORED(MAJOR, "free space on the disk, or correct the owner and mode of data/accounts: it is tried again"
        + " every 5 s; admin, whose password all may know, cannot log in until then"),
    MEMORY(WARNING, "start the controller with more heap: DAQFABRIC_HEAP=4g bin/karaf server, or in bin/setenv"),
    CLOCK(WARNING, "let NTP keep it right without steps"),
    CERTIFICATE(WARNING, "make a new one as in docs/install.md, put it there and restart the controller");

    private final AlarmSeverity severity;
    private final String advice;

    AlarmType(AlarmSeverity severity, String advice) {
        this.severity = severity;
        this.advice = advice;
    }

    /** The severity that it has unless a condition says otherwise. */
    public AlarmSeverity severity() {
        return severity;
    }

    public String advice() {
        return advice;
    }
}
