/**
 * The configuration of a fabric as the operator wrote it, valid and with every default filled in. The northbound makes
 * a {@link org.daqfabric.api.spec.FabricSpec} from the YANG model; the engine reads it through {@code Topology}.
 *
 * <p>A link is named by the end under which it was declared, everywhere; see {@link org.daqfabric.api.spec.Link#end}.
 */
package org.daqfabric.api.spec;
