package org.daqfabric.impl.platform;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.service.cm.ConfigurationAdmin;
import org.osgi.service.cm.ConfigurationListener;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;

/**
 * Keeps the log readable: at INFO the OpenFlow library logs several lines per connection, at WARN a stack trace for
 * whatever a peer sends that is no OpenFlow, and RESTCONF's second server every HTTP/2 header, including passwords.
 * What is logged for each request that fails, with a stack trace, is limited, so that nobody fills the log by asking.
 * It also has what the audit writes go into files of its own, which daqfabric's distribution does from the beginning.
 * Loggers for which the operator has set a level keep it. When daqfabric is uninstalled the log is as it was.
 *
 * <p>This is not a configuration of the feature, because Karaf takes that for the whole file if it has not read the
 * file yet, and then nothing is logged any more.
 */
@Component(service = ConfigurationListener.class)
public final class LoggingSettings extends CompletedSettings {
    static final String PID = "org.ops4j.pax.logging";
    /** Every logging configuration has it. */
    static final String FILE_KEY = "log4j2.rootLogger.level";
    private static final Map<String, String> LEVELS = Map.ofEntries(
        Map.entry("log4j2.logger.openflowjava.name", "org.opendaylight.openflowjava"),
        Map.entry("log4j2.logger.openflowjava.level", "WARN"),
        Map.entry("log4j2.logger.openflowpeers.name", "org.opendaylight.openflowjava.protocol.impl.core"),
        Map.entry("log4j2.logger.openflowpeers.level", "ERROR"),
        Map.entry("log4j2.logger.http2overtls.name", "Alpn2To1"),
        Map.entry("log4j2.logger.http2overtls.level", "WARN"),
        Map.entry("log4j2.logger.http2.name", "Clear2To1"),
        Map.entry("log4j2.logger.http2.level", "WARN"));

    /**
     * Loggers of OpenDaylight and its web server that tell of every request that fails, be it the user's fault or
     * theirs. The audit has a line of each request in any case.
     */
    static final Map<String, String> OF_REQUESTS = Map.of(
        "webrequests", "org.eclipse.jetty.server.HttpChannel",
        "webheaders", "org.eclipse.jetty.http.HttpParser",
        "webanswers", "org.glassfish.jersey",
        "restconf", "org.opendaylight.restconf",
        "xmlbodies", "org.opendaylight.yangtools.yang.data.codec.xml",
        "refusedwrites", "org.opendaylight.controller.cluster.datastore.CommitCohort");
    /** Enough to see what happens: entries of one of them in {@link #MOST} / {@link #A_SECOND} seconds. */
    private static final String MOST = "20";
    private static final String A_SECOND = "0.05";

    static final Map<String, String> NEEDED = needed();

    private final BooleanSupplier stopping;

    @Activate
    public LoggingSettings(@Reference final ConfigurationAdmin admin, final BundleContext bundles) {
        this(admin, () -> bundles.getBundle(Constants.SYSTEM_BUNDLE_LOCATION).getState() == Bundle.STOPPING);
    }

    /**
     * Completes the settings, if their file has been read.
     *
     * @param stopping whether the whole controller stops, so that they are needed at the next start
     */
    LoggingSettings(final ConfigurationAdmin admin, final BooleanSupplier stopping) {
        super(admin, PID, Optional.of(FILE_KEY), NEEDED, "the log will have many lines of OpenFlow. Add to it");
        this.stopping = stopping;
        complete();
    }

    private static Map<String, String> needed() {
        Properties audit = new Properties();
        try (InputStream text = LoggingSettings.class.getResourceAsStream("audit-log.cfg")) {
            audit.load(text);
        } catch (IOException e) {
            throw new UncheckedIOException("a part of this bundle", e);
        }
        // the file may say ${karaf.data}; what is set here is taken as it is
        String data = Path.of(System.getProperty("karaf.data", "data")).toAbsolutePath().toString();
        Map<String, String> needed = new TreeMap<>(LEVELS);
        OF_REQUESTS.forEach((part, name) -> {
            String logger = "log4j2.logger." + part;
            needed.put(logger + ".name", name);
            needed.put(logger + ".level", "INFO");
            needed.put(logger + ".filter.burst.type", "BurstFilter");
            needed.put(logger + ".filter.burst.level", "ERROR"); // all up to it are counted
            needed.put(logger + ".filter.burst.rate", A_SECOND);
            needed.put(logger + ".filter.burst.maxBurst", MOST);
        });
        audit.stringPropertyNames().forEach(key ->
            needed.put(key, audit.getProperty(key).replace("${karaf.data}", data)));
        return needed;
    }

    @Deactivate
    void deactivate() {
        if (!stopping.getAsBoolean()) {
            takeBack();
        }
    }
}
