package org.daqfabric.journal;

import java.util.Arrays;
import java.util.Optional;

/**
 * The correction of {@code MappedByteBuf.internalNioBuffer}. The fault is in raft-journal 10.0.0 to 11.0.2. It sets the
 * position of a buffer that it uses again before it sets the limit, so it fails where the new position is beyond the
 * former limit ({@code newPosition > limit}). OpenDaylight calls it for entries of more than 256 KiB, which it moves
 * from the journal into a file: the second one fails that begins more than about 256 KiB after the first, in a journal
 * file of 128 MiB. Whatever fails in a journal ends it ({@code JournalWriteTask.abort}): the shard takes no write until
 * the controller is restarted.
 *
 * <p>It is corrected as OpenDaylight has corrected it since ({@code limit} first), in controller 11.0.3:
 * <a href="https://github.com/opendaylight/controller/commit/6cf3771047c925958f60851a4e806cc02af83ef1">CONTROLLER-2181</a>.
 * Nothing else of the class changes: the two calls swap places, and stack and length of the method stay as they are.
 */
final class CorrectedBuffer {
    /** The only class that is touched. */
    static final String CLASS = "org.opendaylight.raft.journal.MappedByteBuf";

    private static final int ANY = -1;
    private static final int ILOAD_1 = 0x1b;
    private static final int ILOAD_2 = 0x1c;
    private static final int IADD = 0x60;
    private static final int CALL = 0xb6;
    private static final int RETURN = 0xb0;
    /** {@code .position(index).limit(index + length)}. */
    private static final int[] WRONG = {ILOAD_1, CALL, ANY, ANY, ILOAD_1, ILOAD_2, IADD, CALL, ANY, ANY, RETURN};
    private static final int LENGTH_OF_POSITION = 4;

    private CorrectedBuffer() {
    }

    /**
     * The class with its calls in the right order.
     *
     * @param code the class as it is in the bundle
     * @return empty if it does not have them in the wrong order exactly once: it is a version that is not known
     */
    static Optional<byte[]> of(byte[] code) {
        int found = -1;
        for (int at = 0; at + WRONG.length <= code.length; at++) {
            if (matches(code, at)) {
                if (found >= 0) {
                    return Optional.empty();
                }
                found = at;
            }
        }
        return found < 0 ? Optional.empty() : Optional.of(swapped(code, found));
    }

    private static boolean matches(byte[] code, int at) {
        for (int i = 0; i < WRONG.length; i++) {
            if (WRONG[i] != ANY && WRONG[i] != (code[at + i] & 0xff)) {
                return false;
            }
        }
        return true;
    }

    private static byte[] swapped(byte[] code, int at) {
        byte[] corrected = Arrays.copyOf(code, code.length);
        int end = WRONG.length - 1;
        int limit = end - LENGTH_OF_POSITION;
        System.arraycopy(code, at + LENGTH_OF_POSITION, corrected, at, limit);
        System.arraycopy(code, at, corrected, at + limit, LENGTH_OF_POSITION);
        return corrected;
    }
}
