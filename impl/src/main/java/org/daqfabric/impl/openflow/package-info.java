/**
 * Rules, groups, port states and cabling of the switches over OpenFlow 1.3, behind
 * {@link org.daqfabric.impl.controller.spi.RuleChannel}.
 *
 * <p>In flow batches of changes ({@code api.program.Message}) and requests to read a switch; out flow refusals and
 * {@code InstalledState}, and to the {@link org.daqfabric.impl.controller.spi.RuleListener} connected switches, port
 * states and the neighbours that LLDP frames reveal ({@code CablingProbe}, {@code LldpFrame}).
 * {@link org.daqfabric.impl.openflow.OpenFlowRuleChannel} is the entry point. {@code OpenFlowConnection} makes the
 * handshake; {@code SwitchSession} is a switch whose datapath-id is known.
 *
 * <p>OpenDaylight's OpenFlow library ({@code openflowjava}) does connections, TLS and framing. {@code Encoder} and
 * {@code Decoder} write and read rules and groups without intermediate objects. OpenDaylight's OpenFlow plugin is not
 * involved and nothing is stored in the datastores, so that the switch itself is the only record of what it holds.
 *
 * <p>Words: a <em>change</em> is a flow-mod or group-mod; a <em>question</em> a multipart request; a rule or group is
 * <em>ours</em> by its cookie or id, otherwise <em>foreign</em>.
 */
package org.daqfabric.impl.openflow;
