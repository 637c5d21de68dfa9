package org.daqfabric.it;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * When rules and groups reach the switches of a fabric over their controller connections, to the millisecond. A time
 * may be late, and never early.
 */
final class ModificationLog implements AutoCloseable {
    private static final Pattern MODIFICATION =
        Pattern.compile("^(\\S+ \\S+): OFPT_(FLOW|GROUP)_MOD\\b", Pattern.MULTILINE);
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS");

    private final Map<String, Snoop> snoops = new TreeMap<>();

    private record Snoop(Process process, Path output) {
        String text() {
            try {
                return Files.readString(output);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /**
     * Begins, and waits until every switch has exchanged a message with the controller.
     *
     * @param sockets by switch, where Open vSwitch tells what its bridge exchanges
     */
    ModificationLog(final Map<String, Path> sockets) {
        sockets.forEach((name, socket) -> {
            try {
                final var output = Files.createTempFile("daqfabric-snoop", ".txt");
                snoops.put(name, new Snoop(new ProcessBuilder("ovs-ofctl", "-O", "OpenFlow13", "--timestamp", "snoop",
                    "unix:" + socket).redirectErrorStream(true).redirectOutput(output.toFile()).start(), output));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        await("messages of all switches").atMost(LabFabric.TIMEOUT).until(() ->
            snoops.values().stream().allMatch(each -> each.text().contains(": OFPT_")));
    }

    /** The switches whose rules or groups changed before a time. */
    Set<String> before(final Instant time) {
        return modified(when -> when.isBefore(time.truncatedTo(ChronoUnit.MILLIS)));
    }

    /** Those whose rules or groups changed then or later. */
    Set<String> since(final Instant time) {
        return modified(when -> !when.isBefore(time.truncatedTo(ChronoUnit.MILLIS)));
    }

    private Set<String> modified(final Predicate<Instant> when) {
        final var names = new TreeSet<String>();
        snoops.forEach((name, snoop) -> {
            final var found = MODIFICATION.matcher(snoop.text());
            while (found.find()) {
                if (when.test(LocalDateTime.parse(found.group(1), TIME).toInstant(ZoneOffset.UTC))) {
                    names.add(name);
                }
            }
        });
        return names;
    }

    @Override
    public void close() {
        snoops.values().forEach(each -> each.process.destroy());
        snoops.values().forEach(each -> {
            try {
                Files.deleteIfExists(each.output);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }
}
