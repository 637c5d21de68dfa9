package org.daqfabric.api.placement;

/**
 * The spines of one plane that carry an address.
 *
 * @param spine id of the spine used while its links are usable; 0 if the address's pod reaches none
 * @param backup id of the spine used otherwise; 0 if there is none
 */
public record SpineChoice(int spine, int backup) {
    /** Of an address without a route, or a plane that never carried it. */
    public static final SpineChoice NONE = new SpineChoice(0, 0);
}
