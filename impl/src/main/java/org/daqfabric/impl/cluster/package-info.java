/** Which member of a cluster of controllers programs the switches, and when it may. */
package org.daqfabric.impl.cluster;
