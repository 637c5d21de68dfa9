package org.daqfabric.impl.northbound.request;

import java.util.Set;

/** The rpcs of OpenDaylight that make a stream of events for whoever calls them. */
final class StreamRpcs {
    static final String NOTIFICATIONS = "sal-remote:create-notification-stream";
    private static final Set<String> NAMES = Set.of(NOTIFICATIONS, "sal-remote:create-data-change-event-subscription",
        "odl-device-notification:subscribe-device-notification");

    private StreamRpcs() {
    }

    /**
     * Whether an rpc is one of them.
     *
     * @param rpc {@code module:name}
     */
    static boolean include(String rpc) {
        return NAMES.contains(rpc);
    }
}
