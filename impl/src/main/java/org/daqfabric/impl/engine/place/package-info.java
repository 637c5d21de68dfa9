/**
 * Decides which planes and spines every address uses: waterfilling over relative link loads, local improvement, and
 * standby choices for what may fail next. Pure functions; the same input gives the same placement.
 */
package org.daqfabric.impl.engine.place;
