/**
 * What stays with a switch while its labels change. A switch is a bridge on a node: its identity is the node's
 * system-id and the bridge's name, and its datapath-id is given once and kept. The switch's name, its plane's number
 * and its spine's number are labels. {@link org.daqfabric.impl.engine.identity.IdentityAssignment} gives every switch
 * of a configuration its identity; {@link org.daqfabric.impl.engine.identity.Relabelling} finds which labels changed
 * and rewrites a stored decision in the new ones. Pure.
 */
package org.daqfabric.impl.engine.identity;
