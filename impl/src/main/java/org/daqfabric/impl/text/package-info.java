/** Text of others: what switches, nodes and clients of RESTCONF say is shown to people and written into logs. */
package org.daqfabric.impl.text;
