package org.daqfabric.impl.access;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The passwords that accounts were made with: a file for each, which its owner alone may read, in the form that {@code
 * curl -K} reads. One that is there before its account says what the password is to be.
 *
 * @param folder made when the first file is written
 */
record PasswordFiles(Path folder) {
    private static final Logger LOG = LoggerFactory.getLogger(PasswordFiles.class);
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int BYTES = 18;

    /** A password that nobody guesses, of characters that need no quoting anywhere. */
    static String random() {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** What the file of an account says; empty if there is none, or it says nothing. */
    Optional<String> read(String account) throws IOException {
        Path file = folder.resolve(account);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        Matcher line = Pattern.compile("(?m)^user = \"" + Pattern.quote(account) + ":(.+)\"$")
            .matcher(Files.readString(file));
        return line.find() ? Optional.of(line.group(1)) : Optional.empty();
    }

    void delete(String account) throws IOException {
        Files.deleteIfExists(folder.resolve(account));
    }

    /**
     * What the file says, or else a new password, which is in the file then. One that says nothing, as a full disk or a
     * typo makes it, is kept beside it: without a password of its own an account might keep the one that all know.
     */
    String readOrMake(String account) throws IOException {
        Optional<String> given = read(account);
        if (given.isPresent()) {
            return given.get();
        }
        Files.createDirectories(folder,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path file = folder.resolve(account);
        if (Files.exists(file)) {
            Path kept = folder.resolve(account + ".invalid");
            Files.move(file, kept, StandardCopyOption.REPLACE_EXISTING);
            LOG.warn("{} had no line  user = \"{}:PASSWORD\"  and is {} now; a new password is made", file, account,
                kept);
        }
        String made = random();
        // written to the disk before it has its name, so that no file says nothing
        Path begun = folder.resolve("." + account);
        Files.deleteIfExists(begun);
        Files.createFile(begun, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try (FileChannel channel = FileChannel.open(begun, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(("user = \"" + account + ':' + made + "\"\n")
                .getBytes(StandardCharsets.UTF_8)));
            channel.force(true);
        }
        Files.move(begun, file, StandardCopyOption.ATOMIC_MOVE);
        return made;
    }
}
