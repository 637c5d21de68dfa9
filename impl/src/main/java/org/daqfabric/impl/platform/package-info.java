/** What has to be put right in OpenDaylight itself for a fabric controller to be dependable; no fabric in here. */
package org.daqfabric.impl.platform;
