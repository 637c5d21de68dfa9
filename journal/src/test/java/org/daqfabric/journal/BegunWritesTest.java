package org.daqfabric.journal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opendaylight.controller.cluster.raft.StoredText;
import org.opendaylight.controller.cluster.raft.spi.DefaultLogEntry;
import org.opendaylight.controller.cluster.raft.spi.EntryJournalV1;
import org.opendaylight.raft.spi.CompressionType;

/** Journals of OpenDaylight as a controller leaves them that is killed while it writes. */
class BegunWritesTest {
    private static final int SMALL = 1000;
    private static final int LARGE = 300_000;
    private static final String FIRST_SEGMENT = "journal-v1-1.log";

    @TempDir
    private Path state;
    private Path shard;

    @BeforeEach
    void makeFolder() throws IOException {
        shard = Files.createDirectories(state.resolve("cluster/shards/member-1-shard-default-config"));
    }

    private void write(int first, int... sizes) throws IOException {
        try (EntryJournalV1 journal = open()) {
            for (int i = 0; i < sizes.length; i++) {
                journal.appendEntry(new DefaultLogEntry(first + i, 1, new StoredText("x".repeat(sizes[i]))));
            }
        }
    }

    private EntryJournalV1 open() throws IOException {
        // not mapped, which Netty cannot do on every Java; what is in the files is the same
        return new EntryJournalV1("test", shard, CompressionType.NONE, false);
    }

    /** The indices of all entries. */
    private List<Long> entries() throws IOException {
        List<Long> found = new ArrayList<>();
        try (EntryJournalV1 journal = open(); var reader = journal.openReader()) {
            for (var entry = reader.nextEntry(); entry != null; entry = reader.nextEntry()) {
                found.add(entry.index());
            }
        }
        return found;
    }

    private Path file(int number) {
        return shard.resolve("entry-v1-%016X".formatted(number));
    }

    /** The day its first half fails, OpenDaylight opens such a journal itself: this class can go. */
    @Test
    void largeEntryWithoutItsFileIsTakenBack() throws IOException {
        write(1, SMALL, LARGE, SMALL, LARGE);
        Files.delete(file(4));
        assertThrows(UncheckedIOException.class, this::open);
        BegunWrites.undo(state);
        assertEquals(List.of(1L, 2L, 3L), entries());
        write(4, SMALL, LARGE);
        BegunWrites.undo(state);
        assertEquals(List.of(1L, 2L, 3L, 4L, 5L), entries());
    }

    /** What is lost otherwise was answered: that is not hidden. */
    @Test
    void onlyTheLastEntryIsTakenBack() throws IOException {
        write(1, LARGE, SMALL);
        Files.delete(file(1));
        BegunWrites.undo(state);
        assertThrows(UncheckedIOException.class, this::open);
    }

    @Test
    void segmentWithoutDescriptorIsMadeAnew() throws IOException {
        write(1, SMALL, SMALL);
        for (int length : new int[] {0, 64 * 1024}) {
            Path next = shard.resolve("journal-v1-2.log");
            try (RandomAccessFile made = new RandomAccessFile(next.toFile(), "rw")) {
                made.setLength(length);
            }
            assertThrows(Exception.class, this::open);
            BegunWrites.undo(state);
            assertFalse(Files.exists(next));
            assertEquals(List.of(1L, 2L), entries());
        }
        Files.write(shard.resolve("metadata-v1-2.log"), new byte[0]);
        BegunWrites.undo(state);
        assertEquals(List.of(1L, 2L), entries());
    }

    /** The very first start may be killed, too. */
    @Test
    void firstSegmentsWithoutDescriptorAreMadeAnew() throws IOException {
        Files.write(shard.resolve("metadata-v1-1.log"), new byte[0]);
        Files.write(shard.resolve(FIRST_SEGMENT), new byte[64]);
        BegunWrites.undo(state);
        write(1, SMALL);
        assertEquals(List.of(1L), entries());
    }

    @Test
    void whatIsWholeIsLeftAlone() throws IOException {
        BegunWrites.undo(state.resolve("none"));
        BegunWrites.undo(state);
        write(1, SMALL, LARGE, SMALL, LARGE);
        byte[] before = Files.readAllBytes(shard.resolve(FIRST_SEGMENT));
        BegunWrites.undo(state);
        assertArrayEquals(before, Files.readAllBytes(shard.resolve(FIRST_SEGMENT)));
        assertTrue(Files.exists(file(2)));
        assertEquals(List.of(1L, 2L, 3L, 4L), entries());
    }
}
