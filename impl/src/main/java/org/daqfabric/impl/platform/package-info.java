/**
 * Corrects or completes OpenDaylight itself where a fabric controller depends on it; nothing in here knows a fabric.
 *
 * <p>{@code OpenFlowListener} starts OpenDaylight's OpenFlow library on the configured ports and hands its connections
 * to {@link org.daqfabric.impl.openflow.OpenFlowRuleChannel}. {@code LoggingSettings} completes a file of settings in
 * {@code etc} that others own. {@code EncryptionServiceStarter} works around a race in AAA, {@code BlueprintRepair}
 * one between AAA and Blueprint, and {@code MemberRestart} one in the restart of a cluster member. {@code ShardRepair}
 * frees a shard of writes that it can never finish, with what {@code ShardInternals} knows of it, and restarts a
 * controller that cannot write any more, also when {@code ClientFailures} tells it so. {@code LostReporters} gives up
 * members whose last reports keep others apart, as {@code MembershipView} finds them. {@code EndedJournals} tells why a
 * datastore takes no write any more, and {@code DiskSpace} what is left before that; the journal itself is corrected in
 * a bundle of its own, {@code daqfabric-journal}, which starts earlier.
 *
 * <p>Words: the <em>library</em> is {@code openflowjava}, which does connections and framing; the <em>plugin</em> is
 * the OpenFlow plugin on top of it, which daqfabric does not use; a <em>shard</em> is a part of the datastore, of which
 * each member of a cluster has a copy, and one of them <em>leads</em>.
 */
package org.daqfabric.impl.platform;
