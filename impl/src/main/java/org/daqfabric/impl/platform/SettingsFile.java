package org.daqfabric.impl.platform;

import static java.util.Objects.requireNonNullElseGet;

import java.io.IOException;
import java.util.Hashtable;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.osgi.service.cm.ConfigurationAdmin;

/** A file of settings in {@code etc} that is not ours: what is missing can be added, what the operator has set stays. */
record SettingsFile(ConfigurationAdmin admin, String pid) {
    /** {@code key=value} of what was missing; nothing happens if it has not got a key that tells it has been read. */
    Set<String> complete(final String read, final Map<String, String> needed) throws IOException {
        final var settings = admin.getConfiguration(pid, "?").getProperties();
        return settings == null || settings.get(read) == null ? Set.of() : complete(needed);
    }

    /** {@code key=value} of what was missing. */
    Set<String> complete(final Map<String, String> needed) throws IOException {
        final var configuration = admin.getConfiguration(pid, "?");
        final var settings = requireNonNullElseGet(configuration.getProperties(), Hashtable<String, Object>::new);
        final var added = new TreeSet<String>();
        needed.forEach((key, value) -> {
            if (settings.get(key) == null) {
                settings.put(key, value);
                added.add(key + "=" + value);
            }
        });
        if (!added.isEmpty()) {
            configuration.update(settings);
        }
        return added;
    }
}
