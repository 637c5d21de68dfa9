package org.daqfabric.impl.platform;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.daqfabric.api.state.FreeSpace;
import org.daqfabric.impl.async.Repeating;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;

/**
 * What is free where OpenDaylight, and so the controller, stores. It is looked at by a thread of its own, as a file
 * system that has gone, such as one of a network, keeps whoever looks at it waiting.
 */
@Component(service = DiskSpace.class, immediate = true)
public final class DiskSpace {
    private static final String DATA = "data";
    /** Those of OpenDaylight, below the folder in which it runs. */
    private static final List<String> STORED = List.of("state", "segmented-journal", "snapshots");
    private static final long PERIOD_SECONDS = 1;
    private static final long PATIENCE_SECONDS = 10;

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
        Thread.ofPlatform().daemon().name("daqfabric-disk").factory());
    private final SequencedMap<String, Path> folders;
    private final Stores stores;
    private final LongSupplier nanos;
    private volatile Seen newest;

    /** Finds the file system of a folder that is there. */
    interface Stores {
        FileStore of(Path folder) throws IOException;
    }

    /** What was seen last, and when. */
    private record Seen(List<FreeSpace> disks, long at) {
    }

    /** Begins to look. */
    @Activate
    public DiskSpace() {
        this(own(), Files::getFileStore, System::nanoTime);
        thread.scheduleWithFixedDelay(new Repeating("looking at free space", thread, this::look), 0, PERIOD_SECONDS,
            TimeUnit.SECONDS);
    }

    /**
     * Looks when it is told.
     *
     * @param folders by name, in the order in which they are told
     */
    DiskSpace(SequencedMap<String, Path> folders, Stores stores, LongSupplier nanos) {
        this.folders = folders;
        this.stores = stores;
        this.nanos = nanos;
        newest = new Seen(List.of(), nanos.getAsLong());
    }

    private static SequencedMap<String, Path> own() {
        SequencedMap<String, Path> folders = new LinkedHashMap<>();
        folders.put(DATA, Path.of(System.getProperty("karaf.data", DATA)));
        STORED.forEach(name -> folders.put(name, Path.of(name)));
        return folders;
    }

    @Deactivate
    void deactivate() {
        thread.shutdownNow();
    }

    /** The file systems as they were within the last seconds; unknown if they have not answered. */
    public List<FreeSpace> now() {
        Seen seen = newest;
        return nanos.getAsLong() - seen.at < TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS) ? seen.disks
            : List.of(FreeSpace.unknown(List.copyOf(folders.keySet()), "", "no answer for " + PATIENCE_SECONDS
                + " s"));
    }

    /** Why no configuration is to be stored; empty if it may be. */
    public Optional<String> refusal() {
        return now().stream().flatMap(each -> each.refusal().stream()).findFirst();
    }

    void look() {
        Map<FileStore, List<String>> found = new LinkedHashMap<>();
        List<FreeSpace> disks = new ArrayList<>();
        folders.forEach((name, folder) -> {
            Path there = existing(folder);
            try {
                found.computeIfAbsent(stores.of(there), store -> new ArrayList<>()).add(name);
            } catch (IOException e) {
                disks.add(nameless(there.toFile(), name, e));
            }
        });
        found.forEach((store, names) -> disks.add(free(store, names)));
        newest = new Seen(List.copyOf(disks), nanos.getAsLong());
    }

    /** The folder, or what it will be in: it is made when something is first stored. */
    private static Path existing(Path folder) {
        Path path = folder.toAbsolutePath();
        while (!Files.exists(path) && path.getParent() != null) {
            path = path.getParent();
        }
        return path;
    }

    /** Without its name and its other folders, as where the root of this process is the root of no file system. */
    private static FreeSpace nameless(File folder, String name, IOException why) {
        return folder.getTotalSpace() == 0 ? FreeSpace.unknown(List.of(name), "", why.toString())
            : FreeSpace.of(List.of(name), "", folder.getUsableSpace());
    }

    private static FreeSpace free(FileStore store, List<String> names) {
        try {
            long free = store.getUsableSpace();
            return free == 0 && store.getTotalSpace() == 0
                ? FreeSpace.unknown(names, store.name(), "it does not tell its size")
                : FreeSpace.of(names, store.name(), free);
        } catch (IOException e) {
            return FreeSpace.unknown(names, store.name(), e.toString());
        }
    }
}
