package org.daqfabric.impl.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.osgi.service.cm.Configuration;
import org.osgi.service.cm.ConfigurationAdmin;

class OpenFlowPluginSettingsTest {
    private static final Path SHIPPED =
        Path.of("../karaf/src/main/assembly/etc/org.opendaylight.openflowplugin.cfg");

    private final Configuration configuration = mock(Configuration.class);

    /** The distribution's file, which explains each setting, and what is set elsewhere are the same. */
    @Test
    void agreesWithTheDistribution() throws Exception {
        final var shipped = new Properties();
        try (var file = Files.newInputStream(SHIPPED)) {
            shipped.load(file);
        }
        assertThat(Map.copyOf(shipped)).isEqualTo(OpenFlowPluginSettings.NEEDED);
    }

    /** The plugin's own file sets nothing, and then polls every rule and waits half a second for a barrier. */
    @Test
    void addsWhatIsMissing() throws Exception {
        start(null);
        verify(configuration).update(new Hashtable<>(OpenFlowPluginSettings.NEEDED));
    }

    /** What the operator has set stays, or a choice of his would be undone at every start. */
    @Test
    void keepsWhatTheOperatorHasSet() throws Exception {
        final var all = new Hashtable<String, Object>(OpenFlowPluginSettings.NEEDED);
        all.put("barrier-interval-timeout-limit", "50");
        start(all);
        verify(configuration, never()).update(any());
    }

    private void start(final Dictionary<String, Object> settings) throws Exception {
        final var admin = mock(ConfigurationAdmin.class);
        doReturn(configuration).when(admin).getConfiguration(OpenFlowPluginSettings.PID, "?");
        doReturn(settings).when(configuration).getProperties();
        new OpenFlowPluginSettings(admin);
    }
}
