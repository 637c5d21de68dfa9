package org.daqfabric.it;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The entries that a controller logs from now on, with stack traces. */
final class ControllerLog {
    private static final Pattern HEAD = Pattern.compile(
        "\\d{4}-\\d\\d-\\d\\dT\\S+ \\| (\\S+) *\\| [^|]*\\| (\\S+) *\\| [0-9]* - ([^|]*?) - [^|]*\\| (.*)");
    private static final Pattern EXCEPTION =
        Pattern.compile("(?:Caused by: )?([a-z]\\w*(?:\\.\\w+)+\\.[A-Z][\\w$]*)(?::.*)?");
    private static final Pattern FRAME = Pattern.compile("\\s+at ([^(]+)\\(.*");

    /**
     * A log entry.
     *
     * @param text lines of the entry, the first without time and thread
     */
    record Entry(String level, String logger, String bundle, List<String> text) {
        boolean isOurs() {
            return bundle.startsWith("org.daqfabric");
        }

        boolean hasTrace() {
            return text.stream().anyMatch(line -> FRAME.matcher(line).matches());
        }

        boolean hasFrameOf(final String prefix) {
            return text.stream().anyMatch(line -> line.trim().startsWith("at " + prefix));
        }

        /** The same without the frames of some parts. */
        boolean hasFrameOf(final String prefix, final List<String> except) {
            return text.stream().map(String::trim).anyMatch(line -> line.startsWith("at " + prefix)
                && except.stream().noneMatch(part -> line.startsWith("at " + part)));
        }

        /** The innermost exception and where it was thrown; empty if there is none. */
        String rootCause() {
            String exception = "";
            String frame = "";
            for (var line : text) {
                final var thrown = EXCEPTION.matcher(line);
                final var at = FRAME.matcher(line);
                if (thrown.matches()) {
                    exception = thrown.group(1);
                    frame = "";
                } else if (frame.isEmpty() && at.matches()) {
                    frame = at.group(1);
                }
            }
            return exception.isEmpty() ? "" : exception + " at " + frame;
        }

        @Override
        public String toString() {
            return level + " " + logger + " " + String.join("\n", text);
        }
    }

    private final Path file;
    private long position;

    ControllerLog(final Distribution controller) {
        file = controller.log();
        position = length(file);
    }

    /** The entries since the last call, also across a roll of the file. */
    List<Entry> newEntries() {
        final var rolled = length(file) < position;
        final var text = (rolled ? read(file.resolveSibling("karaf.log.1"), position) : "")
            + read(file, rolled ? 0 : position);
        final var entries = new ArrayList<Entry>();
        for (var line : text.split("\n")) {
            final var head = HEAD.matcher(line);
            if (head.matches()) {
                entries.add(new Entry(head.group(1), head.group(2), head.group(3),
                    new ArrayList<>(List.of(head.group(4)))));
            } else if (!entries.isEmpty()) {
                entries.get(entries.size() - 1).text().add(line);
            }
        }
        return entries;
    }

    private String read(final Path from, final long start) {
        try (var in = new RandomAccessFile(from.toFile(), "r")) {
            final var bytes = new byte[(int) (in.length() - start)];
            in.seek(start);
            in.readFully(bytes);
            position = in.length();
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long length(final Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
