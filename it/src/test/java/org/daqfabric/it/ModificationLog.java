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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * How many rules and groups the controller sends to each switch of a fabric, and when, to the millisecond. A time may
 * be late, and never early.
 */
final class ModificationLog implements AutoCloseable {
    private static final Pattern MODIFICATION =
        Pattern.compile("^(\\S+ \\S+): OFPT_(FLOW|GROUP)_MOD\\b", Pattern.MULTILINE);
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS");

    private final List<Process> snoops = new ArrayList<>();
    private final Map<String, Path> outputs = new TreeMap<>();

    /**
     * Begins.
     *
     * @param sockets by switch, where Open vSwitch tells what its bridge exchanges with the controller
     * @param folder for files, which must be empty
     */
    ModificationLog(final Map<String, Path> sockets, final Path folder) {
        sockets.forEach((name, socket) -> {
            final var output = folder.resolve(name + ".txt");
            try {
                snoops.add(new ProcessBuilder("ovs-ofctl", "-O", "OpenFlow13", "--timestamp",
                    "--unixctl=" + folder.resolve(name + ".ctl"), "snoop", "unix:" + socket)
                    .redirectErrorStream(true).redirectOutput(output.toFile()).start());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            outputs.put(name, output);
        });
    }

    /** Waits until every switch has exchanged a message with the controller, so that nothing after it is missed. */
    void awaitAll() {
        await("messages of all switches").atMost(LabFabric.TIMEOUT).until(() -> outputs.values().stream()
            .map(ModificationLog::text).filter(text -> !text.contains(": OFPT_")).toList(), List::isEmpty);
    }

    /** Rules and groups by switch before a time, without switches that got none. */
    SortedMap<String, Long> before(final Instant time) {
        return counts(when -> when.isBefore(time.truncatedTo(ChronoUnit.MILLIS)));
    }

    /** Those then or later. */
    SortedMap<String, Long> since(final Instant time) {
        return counts(when -> !when.isBefore(time.truncatedTo(ChronoUnit.MILLIS)));
    }

    private SortedMap<String, Long> counts(final Predicate<Instant> when) {
        final var counts = new TreeMap<String, Long>();
        outputs.forEach((name, output) -> counts.put(name, MODIFICATION.matcher(text(output)).results()
            .map(found -> LocalDateTime.parse(found.group(1), TIME).toInstant(ZoneOffset.UTC)).filter(when).count()));
        counts.values().removeIf(count -> count == 0);
        return counts;
    }

    private static String text(final Path output) {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        snoops.forEach(Process::destroy);
        snoops.forEach(each -> each.onExit().join());
    }
}
