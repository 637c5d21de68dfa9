package org.daqfabric.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes back what a controller that was killed had begun to write into OpenDaylight's journals, where OpenDaylight
 * would not start any more: it was not answered, as that comes after it. The fault is in raft-journal up to 13.0.4, the
 * newest ({@code EntryJournalV1}, {@code SegmentFile}); what is written otherwise is read as far as it is whole.
 *
 * <ul>
 * <li>An entry of more than 256 KiB is a file beside the journal. It has its name only after the journal has said that
 * it has; without it {@code LogEntryReader} throws {@code File for entry at N is not readable}.</li>
 * <li>A segment of a journal is made before it has its descriptor, which {@code SegmentDescriptor.readFrom} wants.</li>
 * </ul>
 */
final class BegunWrites {
    private static final Logger LOG = LoggerFactory.getLogger(BegunWrites.class);
    private static final List<String> JOURNALS = List.of("journal-v1", "metadata-v1");
    private static final Pattern SEGMENT = Pattern.compile("(journal-v1|metadata-v1)-([0-9]{1,18})\\.log");
    private static final int DEPTH = 4;
    /** What a segment begins with; its entries' first index is in it. */
    private static final int DESCRIPTOR = 64;
    private static final int FIRST_INDEX = 12;
    /** Length and checksum. */
    private static final int HEADER = 8;
    private static final int LONGEST = 256 * 1024;
    private static final int IS_FILE = 0x80;

    private BegunWrites() {
    }

    /** In all journals in or below a folder. */
    static void undo(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder, DEPTH)) {
            for (Path each : files.filter(Files::isDirectory).toList()) {
                undoIn(each);
            }
        }
    }

    private static void undoIn(Path folder) throws IOException {
        for (String journal : JOURNALS) {
            Optional<Path> last = last(folder, journal);
            if (last.isPresent() && !hasDescriptor(last.get())) {
                Files.delete(last.get());
                LOG.info("{} was begun when the controller was killed, and is made anew", last.get());
            }
        }
        Optional<Path> last = last(folder, JOURNALS.get(0));
        if (last.isPresent()) {
            undoEntry(last.get());
        }
    }

    private static Optional<Path> last(Path folder, String journal) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(each -> number(each, journal) > 0)
                .max(Comparator.comparingLong(each -> number(each, journal)));
        }
    }

    /** The number of a segment; 0 if it is none of this journal. */
    private static long number(Path file, String journal) {
        Matcher name = SEGMENT.matcher(file.getFileName().toString());
        return name.matches() && name.group(1).equals(journal) ? Long.parseLong(name.group(2)) : 0;
    }

    private static boolean hasDescriptor(Path segment) throws IOException {
        try (FileChannel file = FileChannel.open(segment, StandardOpenOption.READ)) {
            ByteBuffer descriptor = read(file, 0, DESCRIPTOR);
            while (descriptor.hasRemaining()) {
                if (descriptor.get() != 0) {
                    return descriptor.limit() == DESCRIPTOR;
                }
            }
            return false;
        }
    }

    /** Takes back the last entry of a segment if its file is missing. */
    private static void undoEntry(Path segment) throws IOException {
        try (FileChannel file = FileChannel.open(segment, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            long index = read(file, 0, DESCRIPTOR).getLong(FIRST_INDEX);
            long last = 0;
            long position = DESCRIPTOR;
            int length = entry(file, position);
            while (length > 0) {
                last = position;
                index++;
                position += HEADER + length;
                length = entry(file, position);
            }
            if (last > 0 && (read(file, last + HEADER, 1).get() & IS_FILE) != 0) {
                Path beside = segment.resolveSibling("entry-v1-" + HexFormat.of().withUpperCase()
                    .toHexDigits(index - 1));
                if (!Files.exists(beside)) {
                    file.write(ByteBuffer.allocate(HEADER), last);
                    file.force(true);
                    LOG.info("{} was being written when the controller was killed: nobody was told that it is stored,"
                        + " and it is left out", beside);
                }
            }
        }
    }

    /** The length of the entry at a position; 0 if there is none, or not the whole of it. */
    private static int entry(FileChannel file, long position) throws IOException {
        ByteBuffer header = read(file, position, HEADER);
        if (header.limit() < HEADER) {
            return 0;
        }
        int length = header.getInt();
        int checksum = header.getInt();
        if (length < 1 || length > LONGEST) {
            return 0;
        }
        CRC32 computed = new CRC32();
        ByteBuffer bytes = read(file, position + HEADER, length);
        computed.update(bytes);
        return bytes.limit() == length && (int) computed.getValue() == checksum ? length : 0;
    }

    /** So many bytes, or those there are. */
    private static ByteBuffer read(FileChannel file, long position, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        int read = 0;
        while (bytes.hasRemaining() && read >= 0) {
            read = file.read(bytes, position + bytes.position());
        }
        return bytes.flip();
    }
}
