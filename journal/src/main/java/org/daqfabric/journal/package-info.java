/**
 * Corrects OpenDaylight's journal, which otherwise takes no write any more after two large ones. It is a bundle of its
 * own because it has to start before OpenDaylight does. It can go when the OpenDaylight below is controller 11.0.3 or
 * later, with its module and its line in the feature.
 */
package org.daqfabric.journal;
