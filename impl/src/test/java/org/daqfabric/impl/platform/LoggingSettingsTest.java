package org.daqfabric.impl.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;

import java.util.Dictionary;
import java.util.Hashtable;
import org.junit.jupiter.api.Test;
import org.osgi.service.cm.Configuration;
import org.osgi.service.cm.ConfigurationAdmin;
import org.osgi.service.cm.ConfigurationEvent;

class LoggingSettingsTest {
    private final Configuration configuration = mock(Configuration.class);
    private boolean stopping;

    /** Settings added before the file is read would be the only ones, and nothing would be logged. */
    @Test
    void waitsUntilTheFileHasBeenRead() throws Exception {
        start(null);
        verify(configuration, never()).update(any());
        start(new Hashtable<>(LoggingSettings.NEEDED));
        verify(configuration, never()).update(any());
    }

    @Test
    void addsWhatIsMissingWhenTheFileIsRead() throws Exception {
        final var settings = start(null);
        final var all = read();
        doReturn(read()).when(configuration).getProperties();
        settings.configurationEvent(event());
        all.putAll(LoggingSettings.NEEDED);
        verify(configuration).update(all);
    }

    @Test
    void keepsWhatTheOperatorHasSet() throws Exception {
        final var all = read();
        all.putAll(LoggingSettings.NEEDED);
        all.put("log4j2.logger.openflowjava.level", "DEBUG");
        start(all);
        verify(configuration, never()).update(any());
    }

    /** The audit has every request: a logger without a bound is one that any user can fill the disk by. */
    @Test
    void whatIsLoggedOfEachRequestHasABound() {
        assertThat(LoggingSettings.OF_REQUESTS).hasSizeGreaterThan(3);
        LoggingSettings.OF_REQUESTS.forEach((part, name) -> {
            final var logger = "log4j2.logger." + part;
            assertThat(LoggingSettings.NEEDED).containsEntry(logger + ".name", name)
                .containsEntry(logger + ".filter.burst.type", "BurstFilter")
                .containsEntry(logger + ".filter.burst.level", "ERROR")
                .containsKeys(logger + ".level", logger + ".filter.burst.rate", logger + ".filter.burst.maxBurst");
        });
    }

    /** An uninstalled daqfabric leaves the log as it was; what the operator has set stays. */
    @Test
    void takesBackWhatItAdded() throws Exception {
        final var all = read();
        all.putAll(LoggingSettings.NEEDED);
        all.put("log4j2.logger.http2.level", "DEBUG");
        final var settings = start(all);
        stopping = true;
        settings.deactivate();
        verify(configuration, never()).update(any());
        stopping = false;
        settings.deactivate();
        final var left = read();
        left.put("log4j2.logger.http2.name", "Clear2To1");
        left.put("log4j2.logger.http2.level", "DEBUG");
        verify(configuration).update(left);
        settings.configurationEvent(event());
        verify(configuration).update(any());
    }

    private static Hashtable<String, Object> read() {
        final var settings = new Hashtable<String, Object>();
        settings.put(LoggingSettings.FILE_KEY, "INFO");
        return settings;
    }

    private static ConfigurationEvent event() {
        final var event = mock(ConfigurationEvent.class);
        doReturn(LoggingSettings.PID).when(event).getPid();
        doReturn(ConfigurationEvent.CM_UPDATED).when(event).getType();
        return event;
    }

    private LoggingSettings start(final Dictionary<String, Object> settings) throws Exception {
        final var admin = mock(ConfigurationAdmin.class);
        doReturn(configuration).when(admin).getConfiguration(LoggingSettings.PID, "?");
        doReturn(settings).when(configuration).getProperties();
        return new LoggingSettings(admin, () -> stopping);
    }
}
