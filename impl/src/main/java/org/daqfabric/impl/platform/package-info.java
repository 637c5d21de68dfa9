/**
 * Corrects or completes OpenDaylight itself where a fabric controller depends on it; nothing in here knows a fabric.
 *
 * <p>{@code OpenFlowListener} starts OpenDaylight's OpenFlow library on the configured ports and hands its connections
 * to {@link org.daqfabric.impl.openflow.OpenFlowRuleChannel}; {@code PluginListeners} removes the listeners of the
 * OpenFlow plugin. {@code LoggingSettings} completes a configuration file in {@code etc} that others own. {@code
 * EncryptionServiceStarter} works around a race in AAA, {@code MemberRestart} one in the restart of a cluster member.
 *
 * <p>Words: the <em>library</em> is {@code openflowjava}, which does connections and framing; the <em>plugin</em> is
 * the OpenFlow plugin on top of it, which daqfabric does not use.
 */
package org.daqfabric.impl.platform;
