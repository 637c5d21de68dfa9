/**
 * Determines the states of a fabric's links from the reports of the switches at both ends. Inputs are port states,
 * carrier, BFD and the peers that cabling checks found; outputs are the {@linkplain
 * org.daqfabric.api.placement.UnusableLinks unusable links} and why each is unusable: <em>down</em>,
 * <em>miscabled</em>, <em>unproven</em> (new, and not yet reported up at both ends), <em>held back</em> (up again, but
 * it waits because it failed lately or a run is in progress). A switch that is <em>out of reach</em> keeps forwarding
 * and is judged by its neighbours; one that is <em>cut off</em> has no link that is up.
 */
package org.daqfabric.impl.controller.links;
