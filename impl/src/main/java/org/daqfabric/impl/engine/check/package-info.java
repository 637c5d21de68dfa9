/**
 * Whether the description of a fabric contradicts itself or that of another fabric. Every rule that spans more than one
 * node of the configuration is here, so that a description that passes can be indexed, placed and compiled without
 * further checks.
 *
 * <p>A {@link org.daqfabric.api.spec.FabricSpec} flows in. A list of {@link org.daqfabric.impl.engine.check.Problem}
 * flows out: what is wrong and what to change, with the {@link org.daqfabric.impl.engine.check.Location} of the
 * offending node as data, which northbound writes as an instance path. An operation refuses its input with the same
 * problems, in an {@link org.daqfabric.impl.engine.check.InvalidInputException}.
 */
package org.daqfabric.impl.engine.check;
