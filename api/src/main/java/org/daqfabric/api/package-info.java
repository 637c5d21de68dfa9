/** The domain in plain Java: records and the services other bundles may use. Knows nothing of OpenDaylight. */
package org.daqfabric.api;
