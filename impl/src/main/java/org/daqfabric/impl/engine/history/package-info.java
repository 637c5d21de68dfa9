/**
 * What differs between two configurations of a fabric. Two {@link org.daqfabric.api.spec.FabricSpec}s flow in, either
 * of which may be missing; {@link org.daqfabric.api.history.FabricChanges} flow out: every difference as a record, and
 * a summary of them in few words.
 *
 * <p>Words: a <em>part</em> is whatever has a name or number of its own in the configuration, such as a DCM or a link,
 * and the policy; its <em>properties</em> are its values as text.
 */
package org.daqfabric.impl.engine.history;
