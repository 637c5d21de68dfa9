/**
 * What switches must hold, or hold. A {@link org.daqfabric.api.program.Program} is made of OpenFlow rules and groups, a
 * {@link org.daqfabric.api.program.Bridge} of what OVSDB describes, and a {@link org.daqfabric.api.program.Message} is
 * one change of a program. The engine compiles programs and compares them; the OpenFlow side encodes and decodes them.
 *
 * <p>Cookies and the marks of ids tell our rules and groups from those of others: switches keep them across restarts of
 * the controller, so they never change.
 */
package org.daqfabric.api.program;
