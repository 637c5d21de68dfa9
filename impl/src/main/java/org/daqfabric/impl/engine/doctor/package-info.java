/**
 * What keeps a fabric from working, and what to do about it. {@link org.daqfabric.impl.engine.doctor.DiagnosisInput}
 * flows in: the fabrics with their state, the nodes and their BFD sessions, and the controller's own listeners,
 * datastores, certificates and machine, as {@code service} collects them. A list of advice flows out, worst first: a
 * subject, what is wrong with it, and what to do. One {@code *Diagnosis} each covers the controller, switches, links
 * and fabrics; all are pure functions.
 */
package org.daqfabric.impl.engine.doctor;
