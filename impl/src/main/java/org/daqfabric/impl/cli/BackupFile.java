package org.daqfabric.impl.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.daqfabric.api.NotDoneException;
import org.eclipse.jdt.annotation.Nullable;

/** A backup on the controller's machine. */
final class BackupFile {
    private BackupFile() {
    }

    /** A backup is of everything. */
    static void refuseFabric(@Nullable String fabric) {
        if (fabric != null) {
            throw new NotDoneException("a backup is of all fabrics: leave --fabric out");
        }
    }

    /** A path as typed; relative ones begin at the controller's working directory. */
    static Path path(String typed) {
        return path(typed, ServiceFolders.ofThisProcess());
    }

    /** Refuses a path where the file would not be the one that others see. */
    static Path path(String typed, ServiceFolders folders) {
        Path path;
        try {
            path = Path.of(typed).toAbsolutePath().normalize();
        } catch (InvalidPathException e) {
            throw new NotDoneException(TerminalText.clean(typed) + " is no file name", e);
        }
        folders.around(path).ifPresent(own -> {
            throw new NotDoneException(path + ": the controller's unit has a " + own + " of its own (PrivateTmp,"
                + " ProtectHome), which is not the one that you see: name a file in " + Path.of("").toAbsolutePath());
        });
        return path;
    }

    static String read(Path path) {
        try {
            return Files.readString(path);
        } catch (IOException e) {
            throw failed("read", path, e);
        }
    }

    /** Writes a file that its owner alone can read. It is complete or, after an error, as it was before. */
    static void write(Path path, String text) {
        Path parent = path.getParent();
        try {
            if (parent == null || Files.isDirectory(path)) {
                throw new NotDoneException(path + " is a directory: name a file");
            }
            Path fresh = Files.createTempFile(parent, "." + path.getFileName() + ".", ".part",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            try {
                try (FileChannel channel = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
                    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
                    while (bytes.hasRemaining()) {
                        channel.write(bytes);
                    }
                    channel.force(true);
                }
                Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(fresh);
            }
        } catch (IOException e) {
            throw failed("write", path, e);
        }
    }

    private static NotDoneException failed(String verb, Path path, IOException failure) {
        return new NotDoneException("cannot " + verb + " " + path + ": " + failure.getClass().getSimpleName()
            .replace("Exception", "") + " " + failure.getMessage(), failure);
    }
}
