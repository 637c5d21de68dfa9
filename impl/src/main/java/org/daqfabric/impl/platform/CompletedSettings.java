package org.daqfabric.impl.platform;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElseGet;

import java.io.IOException;
import java.util.Hashtable;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.osgi.service.cm.ConfigurationAdmin;
import org.osgi.service.cm.ConfigurationEvent;
import org.osgi.service.cm.ConfigurationListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file of settings in {@code etc} that is not ours: what is missing is added, now and whenever it changes; what the
 * operator has set stays.
 */
abstract class CompletedSettings implements ConfigurationListener {
    private final Logger log = LoggerFactory.getLogger(getClass());
    private final ConfigurationAdmin admin;
    private final String pid;
    private final Optional<String> read;
    private final Map<String, String> needed;
    private final String without;

    /**
     * Call {@link #complete()} next.
     *
     * @param read a key that tells that the file has been read; before, nothing is added
     * @param without what happens without the settings, and what to do then
     */
    CompletedSettings(final ConfigurationAdmin admin, final String pid, final Optional<String> read,
            final Map<String, String> needed, final String without) {
        this.admin = requireNonNull(admin);
        this.pid = pid;
        this.read = read;
        this.needed = needed;
        this.without = without;
    }

    @Override
    public void configurationEvent(final ConfigurationEvent event) {
        if (pid.equals(event.getPid()) && event.getType() == ConfigurationEvent.CM_UPDATED) {
            complete();
        }
    }

    final synchronized void complete() {
        try {
            final var configuration = admin.getConfiguration(pid, "?");
            final var settings = requireNonNullElseGet(configuration.getProperties(), Hashtable<String, Object>::new);
            if (read.isPresent() && settings.get(read.get()) == null) {
                return;
            }
            final var added = new TreeSet<String>();
            needed.forEach((key, value) -> {
                if (settings.get(key) == null) {
                    settings.put(key, value);
                    added.add(key + "=" + value);
                }
            });
            if (!added.isEmpty()) {
                configuration.update(settings);
                completed(added);
            }
        } catch (IOException e) {
            log.warn("Cannot complete etc/{}.cfg, {}: {}", pid, without, needed, e);
        }
    }

    /** Told {@code key=value} of what was added. */
    void completed(final Set<String> added) {
    }
}
