package org.daqfabric.api.state;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What is free of a file system that the controller stores into.
 *
 * @param folders those of the controller that are on it, such as {@code state}
 * @param device its name, as the system gives it; empty if that is not known either
 * @param bytes that the controller can still write; empty if that is not known
 * @param unknown why not; empty if it is known
 */
public record FreeSpace(List<String> folders, String device, OptionalLong bytes, String unknown) {
    /**
     * What is kept for the controller's own writes: two files of OpenDaylight's journal, 128 MiB each. Such a file has
     * its length from the beginning, but takes space only as it is written ({@code EntryJournalV1}), so that nothing is
     * set aside for it; when it is full the next one is begun, before a snapshot lets the former go. A journal whose
     * write fails takes no other until the controller is restarted, which this is to prevent.
     */
    public static final long RESERVE = 256L << 20;
    /** Below it somebody is told, in time to do something. */
    public static final long PLENTY = 1L << 30;

    private static final int MEBI = 1 << 20;

    /** How it is; the worst last. */
    public enum Level { PLENTY, UNKNOWN, LITTLE, RESERVE }

    public FreeSpace {
        folders = List.copyOf(folders);
    }

    /** So much is free. */
    public static FreeSpace of(List<String> folders, String device, long bytes) {
        return new FreeSpace(folders, device, OptionalLong.of(bytes), "");
    }

    /** It is not known how much is free, which is neither much nor little. */
    public static FreeSpace unknown(List<String> folders, String device, String why) {
        return new FreeSpace(folders, device, OptionalLong.empty(), why);
    }

    public Level level() {
        return bytes.isEmpty() ? Level.UNKNOWN : bytes.getAsLong() < RESERVE ? Level.RESERVE
            : bytes.getAsLong() < PLENTY ? Level.LITTLE : Level.PLENTY;
    }

    /** Why no configuration is taken, and what to do; empty if it is taken. */
    public Optional<String> refusal() {
        return level() == Level.RESERVE ? Optional.of("no configuration is stored at present: " + amount() + " on "
            + where() + ", and the last " + RESERVE / MEBI + " MiB are kept for runs and repairs. Free at least "
            + Math.ceilDiv(RESERVE - bytes.getAsLong(), MEBI) + " MiB there (heap dumps, packed logs, files of other"
            + " programs), then write again; nothing has changed") : Optional.empty();
    }

    /** How much is free. */
    public String amount() {
        return bytes.isEmpty() ? "it is unknown how much is free" : bytes.getAsLong() / MEBI + " MiB are free";
    }

    /** Which file system it is. */
    public String where() {
        return "the file system with " + String.join("/, ", folders) + "/"
            + (device.isEmpty() ? "" : " (" + device + ")");
    }
}
