package org.daqfabric.journal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With the class of OpenDaylight that the distribution has. */
class CorrectedBufferTest {
    private static final int SIZE = 16;

    @TempDir
    private Path folder;

    /** The day this fails, OpenDaylight has corrected it: this module can go. */
    @Test
    void opendaylightsOwnReadsOnlyOnce() throws Exception {
        ByteBuf buffer = buffer(original());
        assertArrayEquals(new byte[] {1, 2, 3}, read(buffer, 1, 3));
        assertThrows(IllegalArgumentException.class, () -> read(buffer, 8, 3));
    }

    @Test
    void correctedReadsAnywhere() throws Exception {
        ByteBuf buffer = buffer(corrected());
        assertArrayEquals(new byte[] {1, 2, 3}, read(buffer, 1, 3));
        assertArrayEquals(new byte[] {8, 9, 10}, read(buffer, 8, 3));
        assertArrayEquals(new byte[] {0, 1}, read(buffer, 0, 2));
        assertArrayEquals(new byte[] {13, 14, 15}, read(buffer, 13, 3));
        assertThrows(IndexOutOfBoundsException.class, () -> read(buffer, 15, 2));
    }

    @Test
    void nothingElseChanges() throws Exception {
        byte[] before = original();
        byte[] after = corrected();
        assertEquals(before.length, after.length);
        int different = 0;
        for (int i = 0; i < before.length; i++) {
            different += before[i] == after[i] ? 0 : 1;
        }
        assertTrue(different > 0 && different <= 10, "bytes that differ: " + different);
    }

    @Test
    void whatIsCorrectedOrUnknownIsLeftAlone() throws Exception {
        assertEquals(Optional.empty(), CorrectedBuffer.of(corrected()));
        assertEquals(Optional.empty(), CorrectedBuffer.of(new byte[0]));
        byte[] once = original();
        byte[] twice = new byte[2 * once.length];
        System.arraycopy(once, 0, twice, 0, once.length);
        System.arraycopy(once, 0, twice, once.length, once.length);
        assertEquals(Optional.empty(), CorrectedBuffer.of(twice));
    }

    private static byte[] read(ByteBuf buffer, int index, int length) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        buffer.getBytes(index, out, length);
        return out.toByteArray();
    }

    /** A buffer of such a class over a file whose bytes are 0, 1, 2 and so on. */
    private ByteBuf buffer(byte[] code) throws Exception {
        MappedByteBuffer mapped;
        try (var file = FileChannel.open(folder.resolve("segment"), StandardOpenOption.CREATE, StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            mapped = file.map(MapMode.READ_WRITE, 0, SIZE);
        }
        for (int i = 0; i < SIZE; i++) {
            mapped.put(i, (byte) i);
        }
        var constructor = new ExchangedClass(CorrectedBuffer.CLASS, code, CorrectedBuffer.CLASS::equals)
            .loadClass(CorrectedBuffer.CLASS)
            .getDeclaredConstructor(ByteBufAllocator.class, MappedByteBuffer.class);
        constructor.setAccessible(true);
        return (ByteBuf) constructor.newInstance(UnpooledByteBufAllocator.DEFAULT, mapped);
    }

    private static byte[] corrected() throws IOException {
        return CorrectedBuffer.of(original()).orElseThrow();
    }

    private static byte[] original() throws IOException {
        return ExchangedClass.original(CorrectedBuffer.CLASS);
    }
}
