package org.daqfabric.impl.platform;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.osgi.service.cm.ConfigurationAdmin;
import org.osgi.service.cm.ConfigurationListener;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Completes the OpenFlow plugin's settings where daqfabric is a guest in an OpenDaylight: adds what a fabric needs and
 * the operator has not set. Our own distribution has all of it in {@code etc/org.opendaylight.openflowplugin.cfg},
 * where it is explained; there nothing is to be done.
 *
 * <p>Looked at again whenever the settings change, as the plugin's own file, which sets nothing, may be read after us.
 */
@Component(service = ConfigurationListener.class)
public final class OpenFlowPluginSettings extends CompletedSettings {
    static final String PID = "org.opendaylight.openflowplugin";
    static final Map<String, String> NEEDED = Map.ofEntries(
        Map.entry("is-statistics-polling-on", "false"),
        Map.entry("enable-flow-removed-notification", "false"),
        Map.entry("barrier-interval-timeout-limit", "10"),
        Map.entry("rpc-requests-quota", "20000"),
        Map.entry("disable-reconciliation", "true"));

    private static final Logger LOG = LoggerFactory.getLogger(OpenFlowPluginSettings.class);

    @Activate
    public OpenFlowPluginSettings(@Reference final ConfigurationAdmin admin) {
        super(admin, PID, Optional.empty(), NEEDED, "rules will be slow to install. Add these lines and restart");
        complete();
    }

    @Override
    void completed(final Set<String> added) {
        LOG.info("Added to etc/{}.cfg, as a fabric needs it: {}", PID, added);
    }
}
