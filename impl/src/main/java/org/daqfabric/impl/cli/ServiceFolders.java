package org.daqfabric.impl.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Folders that systemd gives the controller's unit in the place of the machine's: {@code PrivateTmp} and
 * {@code ProtectHome}. A file there is one that nobody else sees, and gone after a restart.
 */
final class ServiceFolders {
    /** Of the roots of such mounts: a folder beside others of its kind, and an empty one. */
    private static final String PRIVATE = "/systemd-private-";
    private static final String INACCESSIBLE = "/systemd/inaccessible/";

    /** What stands for a space and some others. */
    private static final Pattern ESCAPED = Pattern.compile("[\\\\]([0-7]{3})");
    private static final int OCTAL = 8;

    private final List<Mount> mounts;

    /** What is mounted where, as in a line of {@code /proc/self/mountinfo} (proc(5)). */
    private record Mount(String root, Path point) {
        static Stream<Mount> of(String line) {
            String[] fields = line.split(" ", 6);
            return fields.length < 6 ? Stream.empty()
                : Stream.of(new Mount(unescaped(fields[3]), Path.of(unescaped(fields[4]))));
        }

        private static String unescaped(String field) {
            return ESCAPED.matcher(field).replaceAll(each ->
                Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(each.group(1), OCTAL))));
        }

        boolean isOfTheUnit() {
            return root.contains(PRIVATE) || root.startsWith(INACCESSIBLE);
        }
    }

    /** Takes the lines of {@code /proc/self/mountinfo}. */
    ServiceFolders(List<String> lines) {
        mounts = lines.stream().flatMap(Mount::of).toList();
    }

    /** Those of this process; none if it is not what a unit has started, or on a system that does not tell. */
    static ServiceFolders ofThisProcess() {
        // Below another process of the unit, such as a shell, users may see what this process sees.
        if (!String.valueOf(ProcessHandle.current().pid()).equals(System.getenv("SYSTEMD_EXEC_PID"))) {
            return new ServiceFolders(List.of());
        }
        try {
            return new ServiceFolders(Files.readAllLines(Path.of("/proc/self/mountinfo")));
        } catch (IOException e) {
            return new ServiceFolders(List.of());
        }
    }

    /** The folder of the unit alone that an absolute path leads into. */
    Optional<Path> around(Path path) {
        Path real = real(path);
        Mount innermost = null;
        for (Mount mount : mounts) {
            // of two at one place the later one is seen
            if (real.startsWith(mount.point)
                    && (innermost == null || mount.point.getNameCount() >= innermost.point.getNameCount())) {
                innermost = mount;
            }
        }
        return Optional.ofNullable(innermost).filter(Mount::isOfTheUnit).map(Mount::point);
    }

    private static Path real(Path path) {
        Path parent = path.getParent();
        try {
            return parent == null ? path : parent.toRealPath().resolve(path.getFileName());
        } catch (IOException e) {
            return path; // who reads or writes it says so
        }
    }
}
