package org.daqfabric.impl.platform;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElseGet;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.util.Arrays;
import java.util.Hashtable;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.osgi.service.cm.ConfigurationAdmin;
import org.osgi.service.cm.ConfigurationEvent;
import org.osgi.service.cm.ConfigurationListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Completes a settings file in {@code etc} that is not ours: adds missing keys, now and whenever the file changes, and
 * keeps what the operator has set.
 */
abstract class CompletedSettings implements ConfigurationListener {
    private final Logger log = LoggerFactory.getLogger(getClass());
    private final ConfigurationAdmin admin;
    private final String pid;
    private final Optional<String> fileKey;
    private final Map<String, String> needed;
    private final String consequence;
    @GuardedBy("this")
    private boolean ended;

    /**
     * Call {@link #complete()} next.
     *
     * @param fileKey a key that every such file has: nothing is added before it is there, because the file has not been
     *        read; empty if there need not be a file
     * @param consequence for the log: what happens without the settings, and what to do then
     */
    CompletedSettings(final ConfigurationAdmin admin, final String pid, final Optional<String> fileKey,
            final Map<String, String> needed, final String consequence) {
        this.admin = requireNonNull(admin);
        this.pid = pid;
        this.fileKey = fileKey;
        this.needed = needed;
        this.consequence = consequence;
    }

    @Override
    public void configurationEvent(final ConfigurationEvent event) {
        if (pid.equals(event.getPid()) && event.getType() == ConfigurationEvent.CM_UPDATED) {
            complete();
        }
    }

    /** Takes back what was added, and adds nothing more; the keys of one part stay together if one was changed. */
    final synchronized void takeBack() {
        ended = true;
        try {
            final var configuration = admin.getConfiguration(pid, "?");
            final var settings = configuration.getProperties();
            if (settings != null) {
                final var changed = needed.keySet().stream().filter(key -> !needed.get(key).equals(settings.get(key)))
                    .map(CompletedSettings::part).collect(Collectors.toSet());
                needed.keySet().stream().filter(key -> !changed.contains(part(key))).forEach(settings::remove);
                configuration.update(settings);
            }
        } catch (IOException e) {
            log.warn("Cannot remove from etc/{}.cfg what was added to it: {}", pid, needed, e);
        }
    }

    /** The first three words of a key, such as {@code log4j2.logger.NAME}. */
    private static String part(final String key) {
        return Arrays.stream(key.split("\\.")).limit(3).collect(Collectors.joining("."));
    }

    final synchronized void complete() {
        if (ended) {
            return;
        }
        try {
            final var configuration = admin.getConfiguration(pid, "?");
            final var settings = requireNonNullElseGet(configuration.getProperties(), Hashtable<String, Object>::new);
            if (fileKey.isPresent() && settings.get(fileKey.get()) == null) {
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
            log.warn("Cannot complete etc/{}.cfg, {}: {}", pid, consequence, needed, e);
        }
    }

    /** Called with {@code key=value} of everything that was added. */
    void completed(final Set<String> added) {
    }
}
