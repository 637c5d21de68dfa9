package org.daqfabric.it.sim;

/** Constants of OpenFlow 1.3 (section 7 of the specification). */
final class OpenFlow {
    static final int VERSION = 4;
    static final int HEADER = 8;
    static final int MAX_LENGTH = 0xffff;

    static final int HELLO = 0;
    static final int ERROR = 1;
    static final int ECHO_REQUEST = 2;
    static final int ECHO_REPLY = 3;
    static final int EXPERIMENTER = 4;
    static final int FEATURES_REQUEST = 5;
    static final int FEATURES_REPLY = 6;
    static final int GET_CONFIG_REQUEST = 7;
    static final int GET_CONFIG_REPLY = 8;
    static final int SET_CONFIG = 9;
    static final int PACKET_IN = 10;
    static final int PORT_STATUS = 12;
    static final int PACKET_OUT = 13;
    static final int FLOW_MOD = 14;
    static final int GROUP_MOD = 15;
    static final int PORT_MOD = 16;
    static final int TABLE_MOD = 17;
    static final int MULTIPART_REQUEST = 18;
    static final int MULTIPART_REPLY = 19;
    static final int BARRIER_REQUEST = 20;
    static final int BARRIER_REPLY = 21;
    static final int QUEUE_GET_CONFIG_REQUEST = 22;
    static final int QUEUE_GET_CONFIG_REPLY = 23;
    static final int ROLE_REQUEST = 24;
    static final int ROLE_REPLY = 25;
    static final int GET_ASYNC_REQUEST = 26;
    static final int GET_ASYNC_REPLY = 27;
    static final int SET_ASYNC = 28;
    static final int METER_MOD = 29;
    static final int TYPES = 30;

    /** OFPP_MAX of Open vSwitch: numbers of switch ports are below it. */
    static final int PORT_MAX = 0xff00;
    static final int PORT_IN_PORT = 0xfffffff8;
    static final int PORT_TABLE = 0xfffffff9;
    static final int PORT_CONTROLLER = 0xfffffffd;
    static final int PORT_LOCAL = 0xfffffffe;
    static final int ANY = 0xffffffff;
    static final int GROUP_MAX = 0xffffff00;
    static final int GROUP_ALL = 0xfffffffc;
    static final int TABLE_MAX = 254;
    static final int ALL_TABLES = 255;
    static final int NO_BUFFER = 0xffffffff;

    static final int PORT_DOWN = 1;
    static final int LINK_DOWN = 1;
    static final int LIVE = 4;

    static final int BAD_REQUEST = 1;
    static final int BAD_ACTION = 2;
    static final int BAD_INSTRUCTION = 3;
    static final int BAD_MATCH = 4;
    static final int FLOW_MOD_FAILED = 5;
    static final int GROUP_MOD_FAILED = 6;
    static final int ROLE_REQUEST_FAILED = 11;

    private OpenFlow() {
    }

    /** Rounds up to a multiple of eight. */
    static int padded(final int length) {
        return (length + 7) / 8 * 8;
    }
}
