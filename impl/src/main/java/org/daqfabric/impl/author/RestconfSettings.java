package org.daqfabric.impl.author;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes back that RESTCONF writes by {@link AuthoredDataBroker}, when daqfabric is uninstalled. That is a file of the
 * feature, so that RESTCONF has it when it starts; but Karaf leaves such files where they are, and without this broker
 * RESTCONF would never start again.
 */
@Component(service = { }, immediate = true)
public final class RestconfSettings {
    static final String FILE = "org.opendaylight.restconf.server.mdsal.MdsalRestconfServer.cfg";
    private static final Logger LOG = LoggerFactory.getLogger(RestconfSettings.class);

    private final Path file;
    private final BooleanSupplier stopping;

    @Activate
    public RestconfSettings(BundleContext bundles) {
        this(Path.of(System.getProperty("karaf.etc", "etc")), () ->
            bundles.getBundle(Constants.SYSTEM_BUNDLE_LOCATION).getState() == Bundle.STOPPING);
    }

    /**
     * Sees to it that the file is there.
     *
     * @param stopping whether the whole controller stops, so that the file is needed at the next start
     */
    RestconfSettings(Path etc, BooleanSupplier stopping) {
        file = etc.resolve(FILE);
        this.stopping = stopping;
        if (!Files.exists(file)) {
            try (InputStream text = RestconfSettings.class.getResourceAsStream("restconf.cfg")) {
                Files.copy(text, file);
            } catch (IOException e) {
                LOG.warn("{} could not be written, so that the history does not know users: {}", file, e.toString());
            }
        }
    }

    @Deactivate
    void deactivate() {
        if (!stopping.getAsBoolean()) {
            try {
                Files.deleteIfExists(file);
            } catch (IOException e) {
                LOG.error("{} could not be deleted: delete it, or RESTCONF does not start without daqfabric", file, e);
            }
        }
    }
}
