/**
 * The rules and groups of the switches over OpenFlow 1.3. OpenDaylight's OpenFlow library ({@code openflowjava}) makes
 * connections, TLS and framing; rules and groups are written and read here, without objects in between. Nothing is kept
 * in the datastores, so that there is one truth, the switch's own. Cables are checked here, too, by LLDP.
 */
package org.daqfabric.impl.openflow;
