/**
 * RESTCONF's side of the application, by the YANG modules.
 *
 * <p>In flow the configuration, whose writes the cohorts accept or refuse and which becomes a
 * {@link org.daqfabric.api.spec.FabricSpec} for the controller ({@code ConfigReader}, {@code FabricReader}), and rpcs
 * ({@code *Rpcs}, which share {@code RpcSupport}). Out flow the state tree ({@code *Writer}, {@code *Tree}),
 * notifications, and what the controller and run control keep in the datastore ({@code Datastore*Store}): decisions,
 * pending removals, partitions and the lease of the active member. Every accepted configuration is kept as a version
 * ({@code *History*}). {@code Backups} writes everything that is stored to one text, and takes such a text up.
 *
 * <p>Words: a <em>cohort</em> checks every write to a part of the datastore before it is committed; a <em>tree</em>
 * turns records into nodes of YANG and back; instance paths such as {@code /input/fabric} are written here only, from
 * the locations that the core gives as data ({@code ProblemText}).
 */
package org.daqfabric.impl.northbound;
