package org.daqfabric.it;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the logs of what fails in {@code target/failed/CLASS-TEST}, which a later class or the end of a fabric would
 * take: the ends of the controllers' logs, the logs of all switches, also of fabrics that the test has taken down
 * ({@code DAQLAB_LOGS}, set by {@code it/isolated/bin/java}), what the kernel has dropped on each processor, and the
 * failure itself. JUnit finds it by {@code META-INF/services} and uses it for all classes.
 */
// public, or Java's ServiceLoader cannot make it
public final class KeptLogs implements BeforeAllCallback, AfterAllCallback, TestWatcher {
    private static final Logger LOG = LoggerFactory.getLogger(KeptLogs.class);
    private static final Path SOFTNET = Path.of("/proc/net/softnet_stat");
    private static final long LIMIT = 8 << 20; // bytes of one log
    private static final int FAILURES = 5; // of one class
    private static final Duration TICK = Duration.ofMillis(20);
    private static final int NAME = 100; // characters of a folder
    private static final Set<Path> HOMES = ConcurrentHashMap.newKeySet();

    static {
        // what tests wait for without saying how long takes longer on a busy machine than Awaitility's 10 s
        Awaitility.setDefaultTimeout(Duration.ofSeconds(60));
    }

    private final Path failed;
    private final Path ofFabricsDown;
    private Instant begun = Instant.now();
    private String dropsBefore = "";
    private int kept;

    public KeptLogs() {
        this(Distribution.projectRoot().resolve("target/failed"),
            Optional.ofNullable(System.getenv("DAQLAB_LOGS")).map(Path::of).orElse(null));
    }

    /**
     * Keeps logs elsewhere.
     *
     * @param ofFabricsDown where {@code daqlab down} copies the logs of a fabric to, or null if it does not
     */
    KeptLogs(final Path failed, final Path ofFabricsDown) {
        this.failed = failed;
        this.ofFabricsDown = ofFabricsDown;
    }

    /** Has the logs of a controller kept, from {@code data/log} in its folder. */
    static void ofController(final Path home) {
        HOMES.add(home);
    }

    @Override
    public void beforeAll(final ExtensionContext context) {
        if (!isNested(context)) {
            begin();
        }
    }

    @Override
    public void testFailed(final ExtensionContext context, final Throwable cause) {
        final var method = context.getRequiredTestMethod().getName();
        final var shown = context.getDisplayName();
        keep(name(context) + "-" + method + (shown.startsWith(method + "(") ? "" : "-" + shown), cause);
    }

    /** What fails before the first test of a class or after its last is a failure of the class. */
    @Override
    public void afterAll(final ExtensionContext context) {
        context.getExecutionException().ifPresent(cause -> keep(name(context), cause));
        if (!isNested(context)) {
            removeOfFabricsDown();
        }
    }

    private static boolean isNested(final ExtensionContext context) {
        return context.getRequiredTestClass().isMemberClass();
    }

    private static String name(final ExtensionContext context) {
        return context.getRequiredTestClass().getSimpleName();
    }

    void begin() {
        kept = 0;
        begun = Instant.now();
        dropsBefore = drops();
        removeOfFabricsDown();
    }

    /** Keeps what there is; a test that has failed does not fail again by a log that cannot be kept. */
    void keep(final String what, final Throwable cause) {
        if (++kept > FAILURES) {
            LOG.info("{}: its logs are not kept, as those of {} other failures of its class are", what, FAILURES);
            return;
        }
        final var folder = failed.resolve(folderName(what));
        try {
            delete(folder);
            Files.createDirectories(folder);
            final var trace = new StringWriter();
            cause.printStackTrace(new PrintWriter(trace, true));
            Files.writeString(folder.resolve("failure.txt"),
                "%s the class began%n%s the test had failed%n%n%s".formatted(begun, Instant.now(), trace));
            Files.writeString(folder.resolve("softnet_stat.txt"), "/proc/net/softnet_stat, a line a processor, its "
                + "second column the dropped packets\nbefore the class:\n" + dropsBefore + "now:\n" + drops());
            for (var home : HOMES) {
                keepController(home, folder.resolve(home.getFileName().toString()));
            }
            if (ofFabricsDown != null && Files.exists(ofFabricsDown)) {
                copyTree(ofFabricsDown, folder);
            }
            final var running = Lab.tryDaqlab("logs", folder.toString());
            LOG.info("{} failed, its logs are in {} {}", what, folder, running.errors());
        } catch (IOException | AssertionError | UncheckedIOException e) {
            LOG.warn("{} failed, and not all of its logs are in {}", what, folder, e);
        }
    }

    private void keepController(final Path home, final Path target) throws IOException {
        for (var log : new Path[] {home.resolve("data/log/karaf.log"), home.resolve("console.log")}) {
            // not those of an earlier class; files have the time of the kernel's last tick
            if (Files.exists(log) && Files.getLastModifiedTime(log).toInstant().isAfter(begun.minus(TICK))) {
                copyEnd(log, target.resolve(log.getFileName()), LIMIT);
            }
        }
    }

    /** Copies the last bytes of a file, whole lines of it. */
    static void copyEnd(final Path from, final Path to, final long limit) throws IOException {
        try (var in = FileChannel.open(from)) {
            final long size = in.size();
            final var bytes = ByteBuffer.allocate((int) Math.min(size, limit));
            in.position(size - bytes.capacity());
            while (bytes.hasRemaining() && in.read(bytes) >= 0) {
                // until all is there
            }
            bytes.flip();
            while (size > limit && bytes.hasRemaining() && bytes.get() != '\n') {
                // the rest of a line
            }
            Files.createDirectories(to.getParent());
            Files.write(to, Arrays.copyOfRange(bytes.array(), bytes.position(), bytes.limit()));
        } catch (NoSuchFileException e) {
            LOG.debug("{} has gone meanwhile", from, e);
        }
    }

    /** The name of a folder for a test whose name may have all characters. */
    static String folderName(final String what) {
        final var name = what.replaceAll("[^A-Za-z0-9_.]+", "-").replaceAll("-$", "");
        return name.substring(0, Math.min(NAME, name.length()));
    }

    private static String drops() {
        try {
            return Files.readString(SOFTNET);
        } catch (IOException e) {
            return e + "\n";
        }
    }

    private void removeOfFabricsDown() {
        try {
            if (ofFabricsDown != null) {
                delete(ofFabricsDown);
            }
        } catch (IOException e) {
            LOG.warn("{} is left", ofFabricsDown, e);
        }
    }

    private static void copyTree(final Path from, final Path to) throws IOException {
        try (var files = Files.walk(from)) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                final var target = to.resolve(from.relativize(file).toString());
                Files.createDirectories(target.getParent());
                Files.copy(file, target);
            }
        }
    }

    private static void delete(final Path tree) throws IOException {
        if (Files.exists(tree)) {
            try (var paths = Files.walk(tree)) {
                for (var path : paths.sorted((a, b) -> b.compareTo(a)).toList()) {
                    Files.delete(path);
                }
            }
        }
    }
}
