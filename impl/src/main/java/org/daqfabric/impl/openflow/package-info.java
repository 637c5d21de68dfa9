/**
 * The rules and groups of the switches, over OpenDaylight's OpenFlowPlugin. Everything goes by RPC and direct
 * statistics; nothing is kept in the datastores, so that there is one truth, the switch's own. Only the buckets of
 * groups are read over the plugin's own message queue, since no RPC tells them. Cables are checked here, too, by LLDP.
 */
package org.daqfabric.impl.openflow;
