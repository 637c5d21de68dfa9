package org.daqfabric.impl.openflow;

import org.daqfabric.api.program.Action;
import org.daqfabric.api.spec.Address;
import org.opendaylight.yangtools.yang.common.Uint8;

/** Numbers of OpenFlow 1.3.5 that both directions use, named as in the specification. */
final class OpenFlow13 {
    static final Uint8 VERSION = Uint8.valueOf(4);

    static final int OFPT_ERROR = 1;
    static final int OFPT_PACKET_OUT = 13;
    static final int OFPT_FLOW_MOD = 14;
    static final int OFPT_GROUP_MOD = 15;
    static final int OFPT_PORT_MOD = 16;
    static final int OFPT_MULTIPART_REQUEST = 18;
    static final int OFPT_MULTIPART_REPLY = 19;

    static final int OFPMP_DESC = 0;
    static final int OFPMP_FLOW = 1;
    static final int OFPMP_PORT_STATS = 4;
    static final int OFPMP_GROUP = 6;
    static final int OFPMP_GROUP_DESC = 7;
    static final int OFPMP_PORT_DESC = 13;
    static final int OFPMP_EXPERIMENTER = 0xffff;
    static final int OFPMPF_REPLY_MORE = 1;

    static final int OFPET_EXPERIMENTER = 0xffff;

    static final int OFPP_MAX = 0xffffff00;
    static final int OFPP_IN_PORT = 0xfffffff8;
    /** The switch's own rules, in a packet that it is sent (7.3.7). */
    static final int OFPP_TABLE = 0xfffffff9;
    static final int OFPP_CONTROLLER = 0xfffffffd;
    /** OFPP_ANY, OFPG_ANY, OFP_NO_BUFFER. */
    static final int NONE = 0xffffffff;
    static final int OFPG_ALL = 0xfffffffc;
    static final int OFPTT_ALL = 0xff;
    /** The whole packet goes to the controller. */
    static final int OFPCML_NO_BUFFER = 0xffff;

    static final int OFPMT_OXM = 1;
    static final int OXM_BASIC = 0x8000;
    static final int OXM_IN_PORT = 0;
    static final int OXM_ETH_DST = 3;
    static final int OXM_ETH_TYPE = 5;
    static final int OXM_IP_DSCP = 8;
    static final int OXM_IPV4_SRC = 11;
    static final int OXM_IPV4_DST = 12;
    static final int OXM_IPV6_SRC = 26;
    static final int OXM_IPV6_DST = 27;
    static final int OXM_HASMASK = 1;

    static final int OFPAT_OUTPUT = 0;
    static final int OFPAT_GROUP = 22;
    static final int OFPAT_SET_FIELD = 25;
    static final int OFPIT_APPLY_ACTIONS = 4;

    static final int OFPGT_INDIRECT = 2;
    static final int OFPGT_FF = 3;

    private OpenFlow13() {
    }

    /** Whether a number is that of a port of the bridge, its own included. */
    static boolean isPort(final int number) {
        return Integer.compareUnsigned(number, OFPP_MAX) < 0 || number == Action.LOCAL;
    }

    /** The netmask of a prefix of an address. */
    static Address mask(final Address address, final int prefixLength) {
        return (address.isIpv4() ? Address.ofIpv4(-1) : new Address(-1, -1)).prefix(prefixLength);
    }

    /** The next multiple of eight, to which OpenFlow pads structures of variable length. */
    static int padded(final int length) {
        return length + 7 & ~7;
    }
}
